import { defineEntity, p } from '@mikro-orm/core';
import type { Contact, Ingredient, IngredientsExtent, LabelRelation, OriginNote, Statement } from './label.ts';

/** A product: the merged data of all files about one label. */
export const Product = defineEntity({
  name: 'Product',
  tableName: 'product',
  properties: {
    dsldId: p.integer().primary(),
    name: p.string(),
    brand: p.string(),
    brandSlug: p.string(),
    /** GTIN-14 with a valid check digit, or "". */
    upc: p.string(),
    upcPrinted: p.string(),
    form: p.string(),
    formCode: p.string(),
    productType: p.string(),
    typeCode: p.string(),
    servingSize: p.string(),
    servingsPerContainer: p.string(),
    netContents: p.string(),
    /** Null when no file stated it. */
    onMarket: p.boolean().nullable(),
    /** Day on which the market status was valid, YYYY-MM-DD. */
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
    /** Digest of all the fields above; an unchanged digest means that nothing needs to be written. */
    digest: p.string(),
    /** Increases with every change of any product; readers use it to find changes. */
    changeNumber: p.bigint('number'),
    updatedAt: p.datetime(),
    removedAt: p.datetime().nullable(),
  },
});

/** Market status of a product according to one source, with the day on which it was valid. */
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

/** A recall as the authority published it. `dsldIds` is filled only for certain matches with our products. */
export const ProductRecall = defineEntity({
  name: 'ProductRecall',
  tableName: 'product_recall',
  properties: {
    recallNumber: p.string().primary(),
    dsldIds: p.json<number[]>(),
    /** `upc`, `name`, or "" when it is linked to no product. */
    linkedBy: p.string(),
    productType: p.string(),
    description: p.text(),
    firm: p.string(),
    classification: p.string(),
    status: p.string(),
    reason: p.text(),
    /** GTIN-14 of the barcodes in the text of the recall. */
    codes: p.json<string[]>(),
    initiationDate: p.string().columnType('date').nullable(),
    reportDate: p.string().columnType('date').nullable(),
    sourceUrl: p.string(),
    updatedAt: p.datetime(),
  },
});

export const productEntities = [Product, ProductStatus, ProductRecall] as const;
