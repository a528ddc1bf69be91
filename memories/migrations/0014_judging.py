from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memories', '0013_common_words'),
    ]

    operations = [
        migrations.AddField(
            model_name='memory',
            name='judged_version',
            field=models.PositiveIntegerField(blank=True, editable=False, null=True),
        ),
    ]
