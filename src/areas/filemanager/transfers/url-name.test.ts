import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nameFromUrl, numbered } from './url-name.ts'

const name = (url: string) => nameFromUrl(new URL(url))

describe('the name of a download', () => {
  it('is the last part of the path, without the query', () => {
    assert.equal(name('https://example.com/a/archive.zip?token=x/y#z'), 'archive.zip')
    assert.equal(name('https://example.com/%C3%BCber%20uns.pdf'), 'über uns.pdf')
  })

  it('has a fallback if the path contains no name', () => {
    for (const path of ['', '/', '/a/', '/a/?x', '/%2e%2e', '/.'])
      assert.equal(name(`https://example.com${path}`), 'downloaded_file', path)
  })

  it('is a single component without control characters and is not reserved for the panel', () => {
    assert.equal(name('https://example.com/..%2F..%2Fetc%2Fpasswd'), '.._.._etc_passwd')
    assert.equal(name('https://example.com/a%5Cb%00c%0Ad'), 'a_b_c_d')
    assert.equal(name('https://example.com/%E2%80%AEexe.txt'), '_exe.txt')
    assert.equal(name('https://example.com/.hostreeve-tmp-uploads'), '_hostreeve-tmp-uploads')
  })

  it('keeps escapes that are not UTF-8', () => {
    assert.equal(name('https://example.com/%FF%41%'), '%FF%41%')
  })

  it('fits into 240 bytes with its file extension', () => {
    const long = name(`https://example.com/${'%C3%BC'.repeat(200)}.tar.gz`)
    assert.ok(Buffer.byteLength(long) <= 240 && long.endsWith('ü.tar.gz'), long)
  })

  it('has its number before the file extension', () => {
    assert.deepEqual(
      ['a.txt', 'a.tar.gz', 'a', '.htaccess', 'a.b.c'].map((each) => numbered(each, 2)),
      ['a (2).txt', 'a (2).tar.gz', 'a (2)', '.htaccess (2)', 'a.b (2).c'],
    )
    assert.equal(numbered('a.txt', 0), 'a.txt')
  })
})
