import { strict as assert } from 'node:assert';
import { clientAddressFinder, quotaAddress } from '#core/http/client-address.ts';
import { api } from '../../support/client.ts';
import { countOf, sql } from '../../support/database.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

describe('client address', () => {
  const find = clientAddressFinder(['127.0.0.1', '10.0.0.0/8', 'fd00::/8']);

  it('is the peer when no proxy is trusted, whatever the header says', () => {
    const findNobody = clientAddressFinder([]);
    assert.equal(findNobody('198.51.100.1', '203.0.113.1'), '198.51.100.1');
    assert.equal(find('198.51.100.1', '203.0.113.1'), '198.51.100.1');
  });

  it('is the last address that a trusted proxy added, not one that the client sent', () => {
    assert.equal(find('127.0.0.1', '1.1.1.1, 203.0.113.1'), '203.0.113.1');
    assert.equal(find('::ffff:127.0.0.1', '203.0.113.1'), '203.0.113.1');
    assert.equal(find('fd00::1', '2001:db8::7'), '2001:db8::7');
  });

  it('is found through a chain of trusted proxies', () => {
    assert.equal(find('127.0.0.1', '1.1.1.1, 203.0.113.1, 10.1.2.3, 10.4.5.6'), '203.0.113.1');
    assert.equal(find('127.0.0.1', '10.9.9.9, 10.1.2.3'), '10.9.9.9');
  });

  it('is the last proxy when the forwarded value is not an address', () => {
    for (const header of ['unknown', '', ' , ', '203.0.113.1:1234', '<script>', '203.0.113.1, 999.1.1.1']) {
      assert.equal(find('127.0.0.1', header), '127.0.0.1', header);
    }
  });

  it('has one canonical form per client', () => {
    assert.equal(find('::ffff:198.51.100.1', undefined), '198.51.100.1');
    assert.equal(find('127.0.0.1', '::FFFF:203.0.113.1'), '203.0.113.1');
    assert.equal(find('fe80::1%eth0', '203.0.113.1'), 'fe80::1');
  });

  it('is counted in full for IPv4 and by its /64 for IPv6', () => {
    assert.equal(quotaAddress('203.0.113.1'), '203.0.113.1');
    const network = quotaAddress('2001:db8:0:2::1');
    for (const same of ['2001:db8::2:0:0:0:9', '2001:0DB8:0000:0002:ffff:ffff:ffff:ffff', '2001:db8:0:2::1.2.3.4']) {
      assert.equal(quotaAddress(same), network, same);
    }
    for (const other of ['2001:db8:0:3::1', '2001:db8::1', '::1', '::']) {
      assert.notEqual(quotaAddress(other), network, other);
    }
  });
});

describe('service behind a trusted proxy', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });

  const usedBy = async (forwardedFor: string): Promise<number> => {
    await sql(service, 'delete from quota_window');
    await api(service).get('/api/sources?page_size=1').set('X-Forwarded-For', '203.0.113.1').expect(200);
    await api(service).get('/api/sources?page_size=1').set('X-Forwarded-For', forwardedFor).expect(200);
    return countOf(service, "quota_window where bucket = 'day'");
  };

  it('counts each client separately', async () => {
    assert.equal(await usedBy('203.0.113.2'), 2);
  });

  it('counts one client once, whatever it forges to the left', async () => {
    assert.equal(await usedBy('198.51.100.9, 203.0.113.1'), 1);
    assert.equal(await usedBy('198.51.100.9, 203.0.113.1, 10.0.0.7'), 1);
  });

  it('stores no caller’s address', async () => {
    await sql(service, 'delete from quota_window');
    await api(service).get('/api/sources?page_size=1').set('X-Forwarded-For', '203.0.113.1').expect(200);
    const rows = await sql(service, 'select subject from quota_window');
    assert.ok(rows.length > 0);
    for (const { subject } of rows) assert.match(String(subject), /^ip:[0-9a-f]{32}$/);
  });
});
