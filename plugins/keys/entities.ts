import { defineEntity, p } from '@mikro-orm/core';

/** A bearer key; only its SHA-256 is stored. */
export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.string().primary(),
    name: p.string(),
    hash: p.string(),
    prefix: p.string(),
    isAdmin: p.boolean(),
    active: p.boolean(),
    plan: p.string(),
    rpmLimit: p.integer(),
    dailyLimit: p.integer(),
    scopes: p.json<string[]>(),
    holderId: p.string(),
    predecessorId: p.string().nullable(),
    successorId: p.string().nullable(),
    ownerHash: p.string().nullable(),
    issuerId: p.string().nullable(),
    endedWith: p.string().nullable(),
    contactEmail: p.string(),
    notes: p.string(),
    createdAt: p.datetime(),
    expiresAt: p.datetime().nullable(),
    deactivatedAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    lastUsedIpPrefix: p.string(),
  },
});

/** One fixed window of one caller: `used` counts every call, including refused ones. */
export const QuotaWindow = defineEntity({
  name: 'QuotaWindow',
  tableName: 'quota_window',
  properties: {
    subject: p.string().primary(),
    bucket: p.string().primary(),
    windowStart: p.datetime(),
    used: p.integer(),
  },
});

/** Calls per key, day and route, for usage reports; never per address. */
export const KeyUsage = defineEntity({
  name: 'KeyUsage',
  tableName: 'key_usage',
  properties: {
    keyId: p.string().primary(),
    day: p.type('date').$type<string>().primary(),
    route: p.string().primary(),
    calls: p.integer(),
  },
});
