import { Migration } from '@mikro-orm/migrations';

export class ImportRuns extends Migration {
  override up(): void {
    this.addSql('alter table evidence_import rename to import_run');
  }
}
