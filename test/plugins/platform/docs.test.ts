import { strict as assert } from 'node:assert';
import { api } from '../../support/client.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

describe('/docs', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });

  it('shows the API description with assets of this server only', async () => {
    const { text } = await api(service)
      .get('/docs')
      .expect(200)
      .expect('Content-Type', /^text\/html/);
    const addresses = [...text.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address);
    assert.ok(addresses.includes('/openapi.json'));
    assert.ok(addresses.length >= 4);
    for (const address of addresses) {
      assert.match(address, /^\/(?!\/)/);
      const reply = await api(service).get(address).buffer(true).expect(200);
      const type = reply.get('Content-Type') ?? '';
      if (address.endsWith('.js')) assert.match(type, /^text\/javascript/);
      if (address.endsWith('.css')) assert.match(type, /^text\/css/);
    }
    assert.doesNotMatch(text, /https?:|<script>|onload=/);
  });

  it('has a content security policy that allows requests to this server only', async () => {
    const reply = await api(service).get('/docs').expect(200);
    const policy = reply.get('Content-Security-Policy') ?? '';
    assert.match(policy, /^default-src 'none';/);
    assert.match(policy, /script-src 'self';/);
    assert.match(policy, /connect-src 'self';/);
    assert.doesNotMatch(policy, /https?:|\*|unsafe-eval/);
    assert.doesNotMatch(policy, /script-src[^;]*unsafe-inline/);
  });

  it('disables the external validator', async () => {
    const { text } = await api(service).get('/docs/assets/start.js').buffer(true).expect(200);
    assert.match(text, /url: '\/openapi\.json'/);
    assert.match(text, /validatorUrl: null/);
    assert.doesNotMatch(text, /https?:/);
  });

  it('serves no other files', async () => {
    for (const name of [
      'package.json',
      '..%2fpackage.json',
      '%2e%2e%2f%2e%2e%2f.env',
      'swagger-ui.js',
      'constructor',
    ]) {
      await api(service).get(`/docs/assets/${name}`).expect(404);
    }
  });
});
