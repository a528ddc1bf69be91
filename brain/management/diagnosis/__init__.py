"""What `doctor` looks at; nothing here starts or changes anything."""
