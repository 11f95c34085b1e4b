import { Migration } from '@mikro-orm/migrations';

/** Reviews that pool other substances too: how many of their people took the supplement is not known. */
export class EvidenceWider extends Migration {
  override up(): void {
    this.addSql('alter table evidence_source add column wider boolean not null default false');
  }
}
