import { Migration } from '@mikro-orm/migrations';

export class WearableUploads extends Migration {
  override up(): void {
    // The name of the file, its key and the consent are in `sealed`. How much of it has come is told by the file itself.
    this.addSql(`create table wearable_upload (
      id text primary key, device text not null references device (hash) on delete cascade,
      place text not null, bytes bigint not null,
      created_at timestamptz not null default now(), touched_at timestamptz not null default now(),
      done_at timestamptz, sealed bytea not null)`);
    this.addSql(`create index wearable_upload_device on wearable_upload (device)`);
    this.addSql(`create index wearable_upload_age on wearable_upload (created_at)`);
  }
}
