import django.core.serializers.json
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memories', '0003_vectors'),
    ]

    operations = [
        migrations.AddField(
            model_name='reviewitem',
            name='memory_version',
            field=models.PositiveIntegerField(default=1),
        ),
        migrations.AddField(
            model_name='reviewitem',
            name='other_version',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='reviewitem',
            name='decision_id',
            field=models.UUIDField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='reviewitem',
            name='undo',
            field=models.JSONField(blank=True, default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder),
        ),
        migrations.AlterField(
            model_name='activity',
            name='verb',
            field=models.CharField(choices=[('saved', 'saved'), ('refreshed', 'said again'), ('held', 'held for review'), ('revised', 'changed'), ('rescheduled', 'changed the validity of'), ('superseded', 'replaced'), ('forgotten', 'forgot'), ('confirmed', 'confirmed'), ('restored', 'restored'), ('erased', 'erased'), ('version_erased', 'erased a version of'), ('kept', 'kept'), ('merged', 'merged another one into'), ('lapsed', 'let lapse'), ('snoozed', 'put off a question about'), ('undone', 'undid an answer about')], max_length=14),
        ),
        migrations.AddIndex(
            model_name='reviewitem',
            index=models.Index(condition=models.Q(('other__isnull', False)), fields=['space', 'other'], name='questions_about_the_other'),
        ),
        migrations.AddIndex(
            model_name='reviewitem',
            index=models.Index(condition=models.Q(('decision_id__isnull', False)), fields=['space', 'decision_id'], name='answers_given_in_one_go'),
        ),
    ]
