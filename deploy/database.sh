#!/bin/sh
# Run once by the image, as the superuser, when the database is new (docs/operating.md says the same in SQL).
set -eu
psql --set=ON_ERROR_STOP=1 --username=postgres --dbname=postgres \
  --set=owner_password="$BRAIN_OWNER_PASSWORD" --set=app_password="$BRAIN_APP_PASSWORD" << 'SQL'
create role brain_owner login password :'owner_password';
create role brain_app login password :'app_password';
\connect template1
create extension btree_gin;
create extension pg_trgm;
create extension unaccent;
create extension vector;
\connect postgres
create database brain owner brain_owner;
\connect brain
alter function ts_match_vq(tsvector, tsquery) leakproof;
alter function word_similarity_op(text, text) leakproof;
alter function word_similarity_commutator_op(text, text) leakproof;
SQL
