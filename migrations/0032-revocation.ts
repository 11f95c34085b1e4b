import { Migration } from '@mikro-orm/migrations';

/** Who may rotate a key, who issued it, and what came of it: so that a deactivation ends all of it. */
export class Revocation extends Migration {
  override up(): void {
    // A key of before has no owner's secret: only an administrator rotates it.
    this.addSql(`alter table api_key add column owner_hash text, add column issuer_id text,
      add column ended_with text`);
    this.addSql('create index api_key_predecessor on api_key (predecessor_id) where predecessor_id is not null');
    this.addSql('create index api_key_issuer on api_key (issuer_id) where issuer_id is not null');
    this.addSql('alter table webhook_endpoint add column key_id text');
    this.addSql('alter table idempotent_request add column key_id text');
    this.addSql('create index idempotent_request_key on idempotent_request (key_id) where key_id is not null');
    // The range of a provider: its votes count as one voice where something is decided. Votes of before have none.
    this.addSql("alter table label_image_vote add column network text not null default ''");
    this.addSql("alter table label_image_report add column network text not null default ''");
  }
}
