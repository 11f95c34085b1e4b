import { Migration } from '@mikro-orm/migrations';

export class LabelImages extends Migration {
  override up(): void {
    this.addSql(`create table label_image (
      image_id serial primary key, dsld_id integer not null, upload_sha256 text not null, sha256 text not null,
      kind text not null, source text not null, license text not null, attribution text not null,
      width integer not null, height integer not null, mime text not null, bytes integer not null,
      is_primary boolean not null default false, status text not null default 'active',
      upvotes integer not null default 0, downvotes integer not null default 0, reports integer not null default 0,
      key_id text not null, uploaded_at timestamptz not null, unique (dsld_id, upload_sha256))`);
    this.addSql('create unique index label_image_primary on label_image (dsld_id) where is_primary');
    this.addSql('create index label_image_object on label_image (sha256)');
    this.addSql(`create table label_image_vote (
      image_id integer not null references label_image, voter text not null, address text not null,
      by_cookie boolean not null, direction text not null, at timestamptz not null, primary key (image_id, voter))`);
    this.addSql('create index label_image_vote_address on label_image_vote (image_id, address)');
    this.addSql(`create table label_image_report (
      image_id integer not null references label_image, voter text not null, address text not null,
      reason text not null, counts boolean not null, at timestamptz not null, primary key (image_id, voter))`);
    this.addSql(`create table label_image_audit (
      id bigserial primary key, image_id integer not null references label_image, dsld_id integer not null,
      who text not null, what text not null, before jsonb not null, after jsonb not null, undoes bigint unique,
      at timestamptz not null)`);
    this.addSql('create index label_image_audit_image on label_image_audit (image_id, id desc)');
  }
}
