import assert from 'node:assert/strict';
import { createPreparedPages } from '../../../core/render/prepared-pages.ts';
import { sharedService } from '../../support/shared.ts';

describe('prepared pages', () => {
  it('are rendered once per kind, and filled with the values of each request', () => {
    const pages = createPreparedPages();
    let renders = 0;
    const fill = (kind: string, path: string) =>
      pages.fill(kind, { '/zq': path, zq: 'word' }, () => {
        renders += 1;
        return `<p title="/zq">${kind} zq</p>`;
      });
    for (let at = 0; at < 1_000; at += 1) assert.equal(fill('a', `/${at}`), `<p title="/${at}">a word</p>`);
    assert.equal(renders, 1);
    assert.equal(fill('b', '/<"&>/zq'), '<p title="/&lt;&quot;&amp;&gt;/zq">b word</p>');
    assert.equal(renders, 2);
  });

  it('return the same 404 page as a rendered one, whatever the address contains', async () => {
    const { url } = await sharedService();
    const ask = async (path: string) => {
      const answer = await fetch(`${url}${path}`, { headers: { Accept: 'text/html' } });
      return { status: answer.status, id: answer.headers.get('X-Request-Id') ?? '', text: await answer.text() };
    };
    for (const path of [
      '/no/such-page',
      '/no/other',
      '/search/nothing',
      '/a%3Cb%22c&d',
      '/zq0path/zq0request',
      '/%C3%A9',
    ]) {
      const { status, id, text } = await ask(path);
      assert.equal(status, 404, path);
      assert.ok(text.includes(id), path);
      assert.ok(text.includes(`/feedback?page=${encodeURIComponent(path)}"`), path);
      const words = (path.split('/').at(-1) ?? '').replace(/[^a-z0-9]+/gi, ' ').trim();
      assert.ok(text.includes(`value="${words}"`), `${path}: ${words}`);
      assert.equal(text.includes('zq0'), path.includes('zq0'), path);
      assert.ok(!text.includes('<b"'), path);
    }
    assert.match((await ask('/search/nothing')).text, /href="\/search" aria-current="true"/);
  });
});
