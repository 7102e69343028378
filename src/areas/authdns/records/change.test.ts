import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RecordSet, ZoneFacts } from '../../../tools/powerdns/index.ts'
import { readZoneFile } from '../zone-file/read.ts'
import { addRecord, removeRecord, setsChange } from './change.ts'
import { wantedSets } from './sets.ts'

const zone = 'a.test'

const name = `www.${zone}.`

/** The area on a zone that has one set. */
function areaWith(type: string, present: readonly string[]) {
  const records = present.map((content) => ({ content, disabled: false }))
  const tool = {
    readZoneFacts: async () => ({ name: zone, kind: 'Native' }),
    readNames: async () => [{ name, type, ttl: 60, records }],
    steps: { setRecords: { name: 'records' } },
  }
  return { tool } as unknown as Parameters<typeof setsChange>[0]
}

/** Returns what is written where a set has some contents and others are wanted. */
async function written(type: string, present: readonly string[], wanted: readonly string[]) {
  const drafts = [{ name, type, ttl: 60, records: wanted.map((content) => ({ content })) }]
  const sets = wantedSets(drafts, zone)
  return contentsIn(
    await setsChange(areaWith(type, present), { name: zone } as ZoneFacts, { sets, force: false }),
  )
}

function contentsIn({ steps }: Awaited<ReturnType<typeof setsChange>>) {
  return steps.flatMap(({ args }) =>
    (args as { sets: readonly RecordSet[] }).sets.flatMap(({ records }) =>
      records.map(({ content }) => content),
    ),
  )
}

describe('the records of a set', () => {
  it('differ by case where they have text or base64', async () => {
    for (const [type, present, wanted] of [
      ['TXT', '"AbC"', '"abc"'],
      ['CAA', '0 issue "CA.example"', '0 issue "ca.example"'],
      ['URI', '10 1 "https://a.test/Path"', '10 1 "https://a.test/path"'],
      ['NAPTR', '1 1 "U" "x" "!A!B!" .', '1 1 "U" "x" "!a!b!" .'],
      ['HINFO', '"CPU" "OS"', '"cpu" "os"'],
      ['HTTPS', '1 . ech="AAAB"', '1 . ech="aaab"'],
      ['SVCB', '1 . key65400="AAAB"', '1 . key65400="aaab"'],
      ['IPSECKEY', '1 0 1 . AAAB', '1 0 1 . aaab'],
      ['DHCID', 'AAAB', 'aaab'],
      ['LUA', 'A "F()"', 'A "f()"'],
    ] as const) {
      assert.deepEqual(await written(type, [present], [wanted]), [wanted], type)
      assert.deepEqual(await written(type, [wanted], [wanted]), [], type)
    }
  })

  it('are the same in any case where they have names, numbers and digits', async () => {
    for (const [type, present, wanted] of [
      ['MX', '10 Mail.A.Test.', '10 mail.a.test.'],
      ['AAAA', '2001:DB8::1', '2001:db8::1'],
      ['SSHFP', `1 1 ${'AB'.repeat(20)}`, `1 1 ${'ab'.repeat(20)}`],
      ['LOC', '52 22 23.000 N 4 53 32.000 E -2.00m', '52 22 23.000 n 4 53 32.000 e -2.00M'],
    ] as const)
      assert.deepEqual(await written(type, [present], [wanted]), [], type)
  })

  it('are the same in any form that others have written', async () => {
    for (const [type, present, wanted] of [
      ['AAAA', '2001:db8:0:0:0:0:0:1', '2001:db8::1'],
      ['AAAA', '::ffff:192.0.2.1', '::ffff:c000:201'],
      ['AAAA', '::192.0.2.1', '::c000:201'],
      ['TXT', '"a\\;b"', '"a;b"'],
      ['TXT', `"${'x'.repeat(300)}"`, `"${'x'.repeat(255)}" "${'x'.repeat(45)}"`],
      ['CAA', '0 ISSUE "ca.example"', '0 issue "ca.example"'],
      ['HTTPS', '1 B.Test. alpn="h2"', '1 b.test. alpn=h2'],
      ['SRV', '0 5 05060 Sip.A.Test.', '0 5 5060 sip.a.test.'],
      ['HTTPS', '1 . ipv6hint=2001:DB8::1,2001:db8:0::2', '1 . ipv6hint=2001:db8::1,2001:db8::2'],
      ['SVCB', '1 . alpn=H2 ipv6hint="2001:DB8::1"', '1 . alpn=H2 ipv6hint=2001:db8::1'],
      ['HTTPS', '1 . ipv6hint=::ffff:c000:201', '1 . ipv6hint=::ffff:192.0.2.1'],
      ['HTTPS', '1 . ech=AAAB', '1 . ech="AAAB"'],
      ['SVCB', '1 . key65400=a\\"\\098', '1 . key65400="a\\"b"'],
      ['LUA', 'a "F()"', 'A "F()"'],
      ['IPSECKEY', '10 2 2 2001:DB8::1 AAAB', '10 2 2 2001:db8::1 AAAB'],
      ['IPSECKEY', '10 2 2 ::c000:201 AAAB', '10 2 2 ::192.0.2.1 AAAB'],
    ] as const)
      for (const sent of [present, wanted]) assert.deepEqual(await written(type, [present], [sent]), [], sent)
    // what the panel would refuse is compared as it is
    assert.deepEqual(await written('CAA', ['1 issue "x"'], ['0 issue "x"']), ['0 issue "x"'])
  })

  it('stay as others have written them where one is added that exists, or another is removed', async () => {
    for (const [type, foreign, existing, other] of [
      ['AAAA', '2001:db8:0:0:0:0:0:1', '2001:db8::1', '2001:db8::2'],
      ['CAA', '0 ISSUE "ca.example"', '0 issue "ca.example"', '0 issue "b.example"'],
      ['HTTPS', '1 B.Test. alpn="h2"', '1 b.test. alpn=h2', '2 c.test.'],
    ] as const) {
      const area = areaWith(type, [foreign, other])
      for (const content of [existing, other, foreign]) {
        const added = await addRecord(area, zone, { name: 'www', type, content }, false)
        assert.deepEqual(contentsIn(added), [], content)
      }
      const removed = await removeRecord(area, zone, { name: 'www', type, content: other }, false)
      assert.deepEqual(contentsIn(removed), [foreign])
    }
  })

  it('are all removed without a content, and none with an empty one', async () => {
    const area = areaWith('A', ['192.0.2.1', '192.0.2.2'])
    const named = { name: 'www', type: 'A' }
    for (const content of ['', ' '])
      await assert.rejects(
        removeRecord(area, zone, { ...named, content }, false),
        /content: must not be empty/,
      )
    const { steps } = await removeRecord(area, zone, named, false)
    assert.deepEqual(
      steps.map(({ args }) => (args as { sets: readonly RecordSet[] }).sets.map(({ records }) => records)),
      [[[]]],
    )
  })

  it('are two if their texts differ by case alone, also in a zone file', async () => {
    const texts = ['"key=AbC"', '"key=abc"']
    assert.deepEqual(await written('TXT', [], texts), texts)
    await assert.rejects(written('TXT', [], [texts[0]!, texts[0]!]), /records\[1\]\.content: is there twice/)
    await assert.rejects(written('MX', [], ['10 B.test.', '10 b.test.']), /is there twice/)
    const [set] = readZoneFile(texts.map((text) => `www 60 TXT ${text}\n`).join(''), zone)
    assert.deepEqual(
      set?.records.map(({ content }) => content),
      texts,
    )
  })
})
