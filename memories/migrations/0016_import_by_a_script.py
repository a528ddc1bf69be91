from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memories', '0015_word_index_at_once'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='memory',
            options={'verbose_name_plural': 'memories'},
        ),
        migrations.AddField(
            model_name='transfer',
            name='client_key',
            field=models.CharField(blank=True, db_default='', default='', max_length=80),
        ),
        migrations.AddField(
            model_name='transfer',
            name='client_name',
            field=models.CharField(blank=True, db_default='', default='', max_length=255),
        ),
    ]
