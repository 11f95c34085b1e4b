import { Migration } from '@mikro-orm/migrations';

export class Products extends Migration {
  override up(): void {
    this.addSql('create sequence product_change');
    this.addSql(`create table product (
      dsld_id integer primary key, name text not null, brand text not null, brand_slug text not null, upc text not null,
      upc_printed text not null, form text not null, form_code text not null, product_type text not null,
      type_code text not null, serving_size text not null, servings_per_container text not null,
      net_contents text not null, on_market boolean, status_as_of date, market_status_changed_at timestamptz,
      entry_date date, label_version text not null, target_groups jsonb not null, claims jsonb not null,
      contacts jsonb not null, other_ingredients jsonb not null, statements jsonb not null, ingredients jsonb not null,
      ingredients_extent text not null, label_relations jsonb not null, supplements jsonb not null,
      origins jsonb not null, digest text not null, change_number bigint not null, updated_at timestamptz not null,
      removed_at timestamptz)`);
    this.addSql('create index product_change_number on product (change_number)');
    this.addSql("create index product_upc on product (upc) where upc <> ''");
    this.addSql('create index product_brand on product (brand_slug)');
    this.addSql('create index product_supplements on product using gin (supplements)');
    this.addSql(`create table product_status (
      dsld_id integer not null, on_market boolean not null, as_of date not null, source text not null,
      primary key (dsld_id, as_of, source))`);
    this.addSql(`create table product_recall (
      recall_number text primary key, dsld_ids jsonb not null, linked_by text not null, product_type text not null,
      description text not null, firm text not null, classification text not null, status text not null,
      reason text not null, codes jsonb not null, initiation_date date, report_date date, source_url text not null,
      updated_at timestamptz not null)`);
  }
}
