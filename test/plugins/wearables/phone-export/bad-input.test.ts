/** Tests files that are not health exports or are hostile: each returns an outcome without data. */
import { deepEqual } from 'node:assert/strict';
import { LIMITS } from '#plugins/wearables/phone-export/limits.ts';
import { type ExportOutcome, unreadExport } from '#plugins/wearables/phone-export/reading.ts';
import { madeZip } from '../../../support/zip.ts';
import { DECLARATION, readBytes, record, xmlOf } from './made-export.ts';

const STEPS = record({ type: 'StepCount', unit: 'count', value: '10', start: '2024-05-01 08:00:00 +0200' });
const XML = xmlOf(STEPS);

const gives = async (outcome: ExportOutcome, bytes: string | Uint8Array, limits = LIMITS): Promise<void> =>
  deepEqual(await readBytes(bytes, { limits }), unreadExport(outcome));

const LOCAL = Buffer.from([0x50, 0x4b, 3, 4]);
const CENTRAL = Buffer.from([0x50, 0x4b, 1, 2]);

/** Changes the headers of every member; the buffer starts at the fields that both header types share. */
const patched = (zip: Buffer, change: (fields: Buffer) => void): Buffer => {
  const bytes = Buffer.from(zip);
  for (const [signature, skip] of [
    [LOCAL, 4],
    [CENTRAL, 6],
  ] as const)
    for (let at = bytes.indexOf(signature); at >= 0; at = bytes.indexOf(signature, at + 4))
      change(bytes.subarray(at + skip));
  return bytes;
};

const LAUGHS = `${DECLARATION}<!DOCTYPE HealthData [
 <!ENTITY a "ha">
 <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
 <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
]>
<HealthData locale="&c;"/>`;

describe('invalid health exports', () => {
  it('are not_an_export when they belong to another app or are not XML', async () => {
    await gives('not_an_export', '');
    await gives('not_an_export', '{"steps": 10}');
    await gives('not_an_export', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
    await gives('not_an_export', `${DECLARATION}<gpx version="1.1"><trk/></gpx>`);
    await gives('not_an_export', `${DECLARATION}<ClinicalDocument xmlns="urn:hl7-org:v3"/>`);
    await gives('not_an_export', '<!doctype html><html><p>Please log in</html>');
    await gives('not_an_export', '< this is no XML');
    await gives('not_an_export', madeZip({ 'apple_health_export/export.xml': '<gpx/>' }));
  });

  it('are no_export_inside when a ZIP has no export, or only one in a nested ZIP', async () => {
    await gives('no_export_inside', madeZip({ 'steps.csv': 'day,steps\n' }));
    await gives('no_export_inside', madeZip({ 'export.zip': madeZip({ 'export.xml': XML }) }));
    await gives('no_export_inside', madeZip({ 'export.xml.zip': madeZip({ 'export.xml': XML }) }));
  });

  it('are not_an_export when a member name leads out of the archive', async () => {
    for (const name of [
      '../../etc/export.xml',
      '/etc/export.xml',
      'a/../../export.xml',
      '..\\..\\export.xml',
      'C:\\export.xml',
    ])
      await gives('not_an_export', madeZip({ 'apple_health_export/export.xml': XML, [name]: XML }));
  });

  it('are a bomb when they decompress to far more than their size, whatever the directory states', async () => {
    const bomb = madeZip({
      'apple_health_export/export.xml': XML.replace('</HealthData>', `${' '.repeat(3e7)}</HealthData>`),
    });
    await gives('bomb', bomb);
    await gives(
      'bomb',
      patched(bomb, (fields) => fields.writeUInt32LE(1_000, 18)),
    );
  });

  it('are a bomb when they declare entities, and damaged when they use undeclared ones', async () => {
    await gives('bomb', LAUGHS);
    await gives('bomb', madeZip({ 'export.xml': LAUGHS }));
    await gives('bomb', LAUGHS.replace('"ha"', 'SYSTEM "file:///etc/passwd"'));
    await gives('damaged', XML.replace('Anna', '&lol;'));
  });

  it('are cut_short when the XML, the ZIP, the DTD or a character is truncated', async () => {
    await gives('cut_short', XML.slice(0, XML.indexOf('</HealthData>')));
    await gives('cut_short', XML.slice(0, -40));
    await gives('cut_short', XML.slice(0, 120));
    await gives('cut_short', Buffer.from(XML).subarray(0, Buffer.byteLength(XML.slice(0, XML.indexOf('’'))) + 1));
    await gives('cut_short', madeZip({ 'apple_health_export/export.xml': XML.slice(0, -60) }));
    const zip = madeZip({ 'apple_health_export/export.xml': XML });
    await gives('cut_short', zip.subarray(0, zip.length / 2));
  });

  it('are wrong_encoding when they are not UTF-8 throughout', async () => {
    await gives('wrong_encoding', Buffer.from(`\ufeff${XML}`, 'utf16le'));
    await gives('wrong_encoding', Buffer.from(XML, 'utf16le'));
    await gives('wrong_encoding', Buffer.from(`\ufeff${XML}`, 'utf16le').swap16());
    await gives('wrong_encoding', XML.replace('UTF-8', 'ISO-8859-1'));
    await gives('wrong_encoding', Buffer.from(XML.replace('’', 'é'), 'latin1'));
    await gives('wrong_encoding', madeZip({ 'export.xml': Buffer.from(XML.replace('’', 'é'), 'latin1') }));
  });

  it('are encrypted when a password is needed', async () => {
    const zip = madeZip({ 'apple_health_export/export.xml': XML });
    await gives(
      'encrypted',
      patched(zip, (fields) => fields.writeUInt16LE(1, 2)),
    );
    await gives(
      'encrypted',
      patched(zip, (fields) => fields.writeUInt16LE(0x41, 2)),
    );
  });

  it('are too_large beyond the limits, compressed or not', async () => {
    const zip = madeZip({ 'apple_health_export/export.xml': XML });
    await gives('too_large', XML, { ...LIMITS, xmlBytes: XML.length - 10 });
    await gives('too_large', zip, { ...LIMITS, xmlBytes: XML.length - 10 });
    await gives('too_large', zip, { ...LIMITS, zipBytes: zip.length - 1 });
    await gives('too_large', xmlOf(STEPS, STEPS.replaceAll('2024-05-01', '2024-05-02')), { ...LIMITS, days: 1 });
  });

  it('are damaged when a checksum differs or the XML is not well-formed', async () => {
    const zip = madeZip({ 'apple_health_export/export.xml': XML });
    await gives(
      'damaged',
      patched(zip, (fields) => fields.writeUInt32LE(1, 10)),
    );
    const scratched = Buffer.from(zip);
    scratched.fill(0xff, 100, 130);
    await gives('damaged', scratched);
    await gives('damaged', XML.replace('</HealthData>', '</Record></HealthData>'));
    await gives('damaged', XML.replace('<Record', '<Record type="twice"'));
    await gives('damaged', XML.replace('<Record', '<a>'.repeat(100)));
    await gives('damaged', XML.replace('</HealthData>', `<!--${'-x'.repeat(4e6)}--></HealthData>`));
  });

  it('are read despite stray control characters in metadata, which real exports contain', async () => {
    const { outcome, rows } = await readBytes(xmlOf(' <MetadataEntry key="note" value="a\u000bb&#11;"/>\n', STEPS));
    deepEqual([outcome, rows.length], ['read', 1]);
  });
});
