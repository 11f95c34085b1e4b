import { Migration } from '@mikro-orm/migrations';

export class Drugs extends Migration {
  override up(): void {
    this.addSql(`create table drug_class (
      slug text primary key, place int not null, name text not null, description text not null, synonyms jsonb not null,
      atc jsonb not null, parents jsonb not null, data_ids jsonb not null, members jsonb not null)`);
    this.addSql(`create table drug_name (
      origin text not null, name_key text not null, name text not null, kind text not null, ingredients jsonb not null,
      rxcui text not null, on_market boolean not null, primary key (origin, name_key))`);
    this.addSql('create table drug_revision (id int primary key, revision bigint not null)');
    this.addSql('insert into drug_revision (id, revision) values (1, 0)');
    this.addSql(`create table drug_import (
      file_identity text primary key, kind text not null, path text not null, status text not null,
      counts jsonb not null, started_at timestamptz not null, finished_at timestamptz)`);
  }
}
