/** Helpers for tests that send HTTP requests to a running service. */
import supertest from 'supertest';
import { BOOTSTRAP_SECRET, type TestService } from './service.ts';

export const api = (service: TestService) => supertest(service.url);

export interface IssuedKey {
  readonly id: string;
  readonly key: string;
}

export interface OwnedKey extends IssuedKey {
  /** The secret that proves ownership of the key; the owner stores it separately from the key. */
  readonly ownerSecret: string;
}

/** Creates the first admin key with the bootstrap header. */
export const bootstrapAdmin = async (service: TestService): Promise<IssuedKey> => {
  const reply = await api(service)
    .post('/api/keys')
    .set('X-Admin-Bootstrap', BOOTSTRAP_SECRET)
    .send({ name: 'root', is_admin: true })
    .expect(200);
  return { id: reply.body.id, key: reply.body.key };
};

/** Creates a key with an admin key. */
export const issueKey = async (service: TestService, admin: IssuedKey, body: object = {}): Promise<OwnedKey> => {
  const reply = await api(service)
    .post('/api/keys')
    .set('Authorization', `Bearer ${admin.key}`)
    .send({ name: 'test', ...body })
    .expect(200);
  return { id: reply.body.id, key: reply.body.key, ownerSecret: reply.body.owner_secret };
};

export const bearer = (key: string): [string, string] => ['Authorization', `Bearer ${key}`];
