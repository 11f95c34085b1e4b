import { Migration } from '@mikro-orm/migrations';

export class SandboxKeys extends Migration {
  override up(): void {
    // Keyed hashes alone: who asked for a key is recognised for as long as its limits last, and never read.
    this.addSql(`create table sandbox_key (
      key_id text primary key, email_hash text not null, address_hash text not null,
      created_at timestamptz not null, expires_at timestamptz not null)`);
    this.addSql(`create index sandbox_key_email on sandbox_key (email_hash) where email_hash <> ''`);
    this.addSql(`create index sandbox_key_address on sandbox_key (address_hash)`);
  }
}
