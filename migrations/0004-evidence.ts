import { Migration } from '@mikro-orm/migrations';

export class Evidence extends Migration {
  override up(): void {
    this.addSql('create sequence evidence_revision');
    this.addSql(`create table evidence_source (
      source_id text primary key, pmid text not null, doi text not null, pmcid text not null, nct_id text not null,
      title text not null, abstract text not null, summary text not null, authors jsonb not null, journal text not null,
      year integer, volume text not null, issue text not null, pages text not null, language text not null,
      publication_types jsonb not null, mesh_terms jsonb not null, keywords jsonb not null, license text not null,
      open_access_url text not null, retraction_status text not null, source_class text not null,
      evidence_level text not null, quality_score double precision not null, quality_tier text not null,
      sample_size text not null, sample_size_n integer, population text not null, species text not null,
      effect_direction text not null, funding text not null, breakdown jsonb not null, trial_status text not null,
      trial_phase text not null, supplements jsonb not null, topics jsonb not null, verticals jsonb not null,
      read text not null, origins jsonb not null, digest text not null, projection text not null,
      revision bigint not null, created_at timestamptz not null, updated_at timestamptz not null, removed_at timestamptz)`);
    this.addSql("create unique index evidence_source_pmid on evidence_source (pmid) where pmid <> ''");
    this.addSql("create index evidence_source_doi on evidence_source (doi) where doi <> ''");
    this.addSql("create index evidence_source_nct on evidence_source (nct_id) where nct_id <> ''");
    this.addSql('create index evidence_source_revision on evidence_source (revision)');
    this.addSql('create index evidence_source_projection on evidence_source (projection)');
    this.addSql(
      'create index evidence_source_order on evidence_source (quality_score desc, source_id) where removed_at is null',
    );
    this.addSql('create index evidence_source_class on evidence_source (source_class, year)');
    this.addSql(`create table evidence_record (
      origin text not null, origin_key text not null, source_id text not null, digest text not null,
      payload jsonb not null, file text not null, imported_at timestamptz not null, primary key (origin, origin_key))`);
    this.addSql('create index evidence_record_source on evidence_record (source_id)');
    this.addSql("create index evidence_record_file on evidence_record (file) where file <> ''");
    this.addSql(`create table evidence_vertical (
      source_id text not null, vertical text not null, supplement_slug text not null, topic_slug text not null,
      primary key (source_id, vertical))`);
    this.addSql('create index evidence_vertical_vertical on evidence_vertical (vertical)');
    this.addSql('create index evidence_vertical_supplement on evidence_vertical (supplement_slug)');
    this.addSql(
      'create table evidence_retraction (identifier text primary key, status text not null, reason text not null)',
    );
    this.addSql(`create table evidence_import (
      id text primary key, kind text not null, path text not null, file_identity text not null, status text not null,
      position integer not null, counts jsonb not null, started_at timestamptz not null, finished_at timestamptz)`);
    this.addSql('create index evidence_import_identity on evidence_import (file_identity, started_at desc)');
  }
}
