import { Migration } from '@mikro-orm/migrations';

export class FairReading extends Migration {
  override up(): void {
    // `sender` is a salted hash of the address that sent the file, so that none reads all the time; it goes with the reading.
    for (const table of ['lab_report', 'wearable_import'])
      this.addSql(`alter table ${table} add column sender text, add column is_heavy boolean not null default false,
        add column waiting_bytes bigint not null default 0`);
    // How much of it has come: uploads are limited by what they hold, and an empty one holds nothing.
    this.addSql(`alter table wearable_upload add column sender text, add column received bigint not null default 0`);
  }
}
