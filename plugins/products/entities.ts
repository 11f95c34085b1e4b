import { defineEntity, p } from '@mikro-orm/core';
import type { Contact, Ingredient, IngredientsExtent, LabelRelation, OriginNote, Statement } from './label.ts';

/** A product: what all files together tell of one label. */
export const Product = defineEntity({
  name: 'Product',
  tableName: 'product',
  properties: {
    dsldId: p.integer().primary(),
    name: p.string(),
    brand: p.string(),
    brandSlug: p.string(),
    /** GTIN-14 with a right check digit, or "". */
    upc: p.string(),
    upcPrinted: p.string(),
    form: p.string(),
    formCode: p.string(),
    productType: p.string(),
    typeCode: p.string(),
    servingSize: p.string(),
    servingsPerContainer: p.string(),
    netContents: p.string(),
    /** Null when no file ever told. */
    onMarket: p.boolean().nullable(),
    /** The day on which the market status was true, YYYY-MM-DD. */
    statusAsOf: p.string().columnType('date').nullable(),
    marketStatusChangedAt: p.datetime().nullable(),
    entryDate: p.string().columnType('date').nullable(),
    labelVersion: p.string(),
    targetGroups: p.json<string[]>(),
    claims: p.json<string[]>(),
    contacts: p.json<Contact[]>(),
    otherIngredients: p.json<string[]>(),
    statements: p.json<Statement[]>(),
    ingredients: p.json<Ingredient[]>(),
    ingredientsExtent: p.string().$type<IngredientsExtent>(),
    labelRelations: p.json<LabelRelation[]>(),
    /** Slugs of all supplements among the ingredients, sorted. */
    supplements: p.json<string[]>(),
    origins: p.json<OriginNote[]>(),
    /** Digest of all the fields above: unchanged means nothing to write. */
    digest: p.string(),
    /** Rises with every change of any product; readers follow it. */
    changeNumber: p.bigint('number'),
    updatedAt: p.datetime(),
    removedAt: p.datetime().nullable(),
  },
});

/** What a source said of a product's market status, and when that was true. */
export const ProductStatus = defineEntity({
  name: 'ProductStatus',
  tableName: 'product_status',
  properties: {
    dsldId: p.integer().primary(),
    onMarket: p.boolean(),
    asOf: p.string().columnType('date').primary(),
    source: p.string().primary(),
  },
});

/** A recall as the authority published it; `dsldIds` only where it certainly is one of our products. */
export const ProductRecall = defineEntity({
  name: 'ProductRecall',
  tableName: 'product_recall',
  properties: {
    recallNumber: p.string().primary(),
    dsldIds: p.json<number[]>(),
    /** `upc`, `name`, or "" when it is linked to none. */
    linkedBy: p.string(),
    productType: p.string(),
    description: p.text(),
    firm: p.string(),
    classification: p.string(),
    status: p.string(),
    reason: p.text(),
    /** GTIN-14 of the barcodes in its text. */
    codes: p.json<string[]>(),
    initiationDate: p.string().columnType('date').nullable(),
    reportDate: p.string().columnType('date').nullable(),
    sourceUrl: p.string(),
    updatedAt: p.datetime(),
  },
});

export const productEntities = [Product, ProductStatus, ProductRecall] as const;
