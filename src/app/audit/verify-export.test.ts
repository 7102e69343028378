import assert from 'node:assert/strict'
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach, describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { noteFound, pruneActivity, verifyActivity } from '../../changes/activity.ts'
import { checkpointNewest, exportChain, signNewest } from '../../changes/chain-export.ts'
import { publicKeyOf, signAt } from '../../changes/chain-key.ts'
import {
  base64Of,
  canonical,
  type Checkpoint,
  entryHash,
  type Signed,
  signStatement,
} from '../../changes/proof.ts'
import { openParcels } from '../../changes/testing/parcel.ts'
import type { Store } from '../../store/store.ts'
import { append, exported, exportedAt, verifyBytes, verifyLines } from './testing/exported.ts'
import { NotAnExport } from './verify-export.ts'

const isLong = Boolean(process.env['HOSTREEVE_LONG'])

let store: Store
beforeEach(async () => {
  store = await openParcels()
})
afterEach(() => store.close())

/** What a break is: the entry, and the reason. */
async function breakOf(lines: readonly string[], trust = {}) {
  const { ok, broken_at, reason } = await verifyLines(lines, trust)
  return ok ? 'whole' : ([broken_at, reason] as const)
}

/** The index of the line of an entry; the header is the first line. */
const lineOf = (lines: readonly string[], id: number) =>
  lines.findIndex((line) => line.startsWith('{"entry"') && JSON.parse(line).entry.id === id)
const without = (lines: readonly string[], id: number) => lines.toSpliced(lineOf(lines, id), 1)
const withLine = (lines: readonly string[], id: number, line: string) =>
  lines.toSpliced(lineOf(lines, id), 0, line)
const edited = (lines: readonly string[], index: number, edit: (value: any) => void) => {
  const value = JSON.parse(lines[index] ?? '')
  edit(value)
  return lines.with(index, canonical(value))
}

describe('an export that is as the panel wrote it', () => {
  it('is whole: an empty log, a few entries, and ten thousand with a checkpoint each thousand', async () => {
    const key = publicKeyOf(store).text
    const empty = await verifyLines(await exported(store), { key })
    assert.deepEqual([empty.ok, empty.entries, empty.checkpoints], [true, 0, 0])
    await append(store, 10_000)
    const { signed_at, ...verdict } = await verifyLines(await exported(store), { key })
    assert.equal(signed_at, exportedAt.toISOString())
    assert.deepEqual(verdict, {
      ...{ ok: true, entries: 10_000, from: 1, to: 10_000, checkpoints: 10, key },
      ...{ is_key_given: true, broken_at: null, reason: null, checkpoint: 'none' },
    })
  })

  it('keeps texts that are written differently elsewhere, and numbers of all sizes', async () => {
    for (const message of ['cut \uD83E', 'nul \0 within', '\u{1F980}', 'ä\u0308', '\u2028 "\\/\u007f'])
      await append(store, 1, { message, path: message, duration_ms: 2 ** 40, mcp_key_id: 4, user_id: null })
    await append(store, 1, { duration_ms: -7 }) // the clock was set back
    assert.equal(await breakOf(await exported(store)), 'whole')
  })

  it('is hashed and signed as decision 0122 says, by what others have: SHA-256, Ed25519 and JSON', async () => {
    await append(store, 1, { mcp_key_id: 9 })
    const [header = '', line = ''] = await exported(store)
    const { entry } = JSON.parse(line)
    const hashed = `${'0'.repeat(64)}\n[1,"parcel_sent",1,null,"192.0.2.1","POST","/api/parcels","{}","ok",3,"r-1",0,"entry 0 “é”","2026-01-01T00:00:00.000Z",9]`
    assert.equal(entry.hash, createHash('sha256').update(hashed).digest('hex'))
    const [checkpoint, { activity }] = [await signNewest(store, exportedAt), JSON.parse(header)]
    const about = `"broken_at":null,"created_at":"2026-06-01T12:00:00.000Z"`
    const link = `"hash":"${entry.hash}","id":1`
    const key = `"key":"${checkpoint.key}"`
    for (const [text, { signature }] of [
      [`{${about},${link},${key},"type":"hostreeve-activity-checkpoint"}`, checkpoint],
      [
        `{"anchor":null,"broken_at":null,"checkpoints":0,"created_at":"2026-06-01T12:00:00.000Z","format":1,${key},"newest":{${link}},"type":"hostreeve-activity-export"}`,
        activity,
      ],
    ] as const)
      assert.ok(
        verify(
          null,
          Buffer.from(text),
          createPublicKey(publicKeyOf(store).pem),
          Buffer.from(signature, 'base64'),
        ),
      )
  })

  it('goes on after a restart, under the same key', async (context) => {
    const folder = scratch(context)
    const first = await openParcels(folder)
    await append(first, 20)
    const checkpoint = await signNewest(first, exportedAt)
    await first.close()
    const second = await openParcels(folder)
    await append(second, 20)
    const verdict = await verifyLines(await exported(second), { checkpoint })
    assert.deepEqual([verdict.ok, verdict.to, verdict.key], [true, 40, checkpoint.key])
    await second.close()
  })

  it('goes on after a restore of the store and its key; a checkpoint that is newer than the backup does not fit', async (context) => {
    const [lost, fresh] = [scratch(context), scratch(context)]
    const panel = await openParcels(lost)
    await append(panel, 20)
    const before = await signNewest(panel, exportedAt)
    await panel.copyTo(`${fresh}/hostreeve.db`)
    copyFileSync(`${lost}/secret.key`, `${fresh}/secret.key`)
    await append(panel, 5)
    const later = await signNewest(panel, exportedAt)
    await panel.close()
    const restored = await openParcels(fresh)
    await append(restored, 10, { message: 'after the restore' })
    const lines = await exported(restored)
    await restored.close()
    assert.equal(await breakOf(lines, { checkpoint: before }), 'whole')
    assert.deepEqual((await breakOf(lines, { checkpoint: later }))[0], 25)
  })

  it('is of one chain, though entries are written at once', async () => {
    await Promise.all(Array.from({ length: 60 }, () => append(store, 1)))
    const verdict = await verifyLines(await exported(store))
    assert.deepEqual([verdict.ok, verdict.entries, verdict.to], [true, 60, 60])
  })

  it('covers the entries of an earlier panel, which had no checkpoints that others can check', async () => {
    await append(store, 1500)
    await sql`delete from activity_signed_checkpoints`.execute(store.db)
    await append(store, 1000)
    const { ok, entries, checkpoints } = await verifyLines(await exported(store))
    assert.deepEqual([ok, entries, checkpoints], [true, 2500, 1])
  })
})

function scratch(context: TestContext): string {
  const folder = mkdtempSync(`${tmpdir()}/hostreeve-audit-`)
  context.after(() => rmSync(folder, { recursive: true }))
  return folder
}

describe('pruning', () => {
  const old = '2026-01-01T00:00:00.000Z'
  const now = '2027-01-03T00:00:00.000Z'
  const prune = async () => {
    await append(store, 1500)
    await append(store, 500, { created_at: now })
    return pruneActivity(store, new Date(now))
  }

  it('leaves an export that begins after the last pruned entry', async () => {
    assert.equal(await prune(), 1500)
    const lines = await exported(store)
    const verdict = await verifyLines(lines)
    assert.deepEqual([verdict.ok, verdict.from, verdict.to], [true, 1501, 2000])
    assert.deepEqual(await breakOf(without(lines, 1501)), [1501, 'entry 1501 is missing'])
    const bare = edited(lines, 0, ({ activity }) => (activity.anchor = null))
    assert.deepEqual(await breakOf(bare), [null, `the header is not signed by ${verdict.key}`])
  })

  it('explains why a given checkpoint is not in the export, if it is older than the entries that are kept', async () => {
    await append(store, 20)
    const [aged, young] = [
      await signNewest(store, new Date('2026-01-02')),
      await signNewest(store, exportedAt),
    ]
    await prune()
    const lines = await exported(store, new Date(now))
    const known = await verifyLines(lines, { checkpoint: aged }, new Date(now))
    assert.deepEqual([known.ok, known.checkpoint], [true, 'pruned'])
    const tooNew =
      'the given checkpoint (entry 20, signed at 2026-06-01T12:00:00.000Z) is not in the export, and is too new to have been pruned: give a newer one'
    const inFuture = await exported(store, new Date('2030-01-01'))
    for (const each of [lines, inFuture]) {
      const { ok, broken_at, reason, checkpoint } = await verifyLines(
        each,
        { checkpoint: young },
        new Date(now),
      )
      assert.deepEqual([ok, broken_at, reason, checkpoint], [false, 20, tooNew, 'missing'])
    }
  })

  it('explains no checkpoint of the last pruned entry that is too new, or has another hash', async () => {
    await append(store, 1500)
    const [aged, young] = [
      await signNewest(store, new Date('2026-01-02')),
      await signNewest(store, exportedAt),
    ]
    await append(store, 500, { created_at: now })
    assert.equal(await pruneActivity(store, new Date(now)), 1500)
    const lines = await exported(store, new Date(now))
    assert.match(String((await breakOf(lines, { checkpoint: young }))[1]), /too new to have been pruned/)
    const { type: _type, key: _key, signature: _signature, ...about } = aged
    const other = signAt(store, { ...about, hash: 'f'.repeat(64) })
    assert.equal((await breakOf(lines, { checkpoint: other }))[0], 1500)
    assert.equal((await verifyLines(lines, { checkpoint: aged }, new Date(now))).checkpoint, 'pruned')
  })

  it('is told from entries that were deleted in the store up to a checkpoint', async () => {
    await append(store, 30)
    await checkpointNewest(store, exportedAt)
    await append(store, 10)
    await sql`delete from activity where id <= 30`.execute(store.db)
    assert.equal((await verifyActivity(store, new AbortController().signal)).ok, false)
    const missing = [1, 'entries 1 to 30 are missing, though not pruned']
    assert.deepEqual(await breakOf(await exported(store)), missing)
  })

  it('that was none is told: all entries are gone', async () => {
    await append(store, 3, { created_at: old })
    await sql`delete from activity`.execute(store.db)
    assert.deepEqual(await breakOf(await exported(store)), [
      1,
      'entries 1 to 3 are cut off at the end of the file',
    ])
  })

  it('breaks off an export that it meets', async () => {
    await append(store, 1200)
    const lines = exportChain(store, exportedAt, new AbortController().signal)
    for (let part = 0; part < 2; part++) await lines.next()
    await sql`delete from activity where id <= 600`.execute(store.db)
    await assert.rejects(lines.next(), /pruned while they were exported/)
  })
})

describe('an export that was tampered with', () => {
  let lines: string[]
  beforeEach(async () => {
    await append(store, 20)
    await checkpointNewest(store, exportedAt)
    await append(store, 10)
    lines = await exported(store)
  })

  it('names an entry that was changed, in whichever field', async () => {
    const { entry } = JSON.parse(lines[7] ?? '')
    for (const field of Object.keys(entry).filter((each) => each !== 'id')) {
      const other = typeof entry[field] === 'string' ? `${entry[field]}x` : (entry[field] ?? 0) + 1
      const formed = { status: 'failed', created_at: '2026-01-01T00:00:00.001Z', hash: 'f'.repeat(64) }
      const wrong = formed[field as keyof typeof formed] ?? other
      const found = await breakOf(edited(lines, 7, (value) => (value.entry[field] = wrong)))
      assert.deepEqual(
        found,
        [7, 'entry 7 is not as it was written, or does not follow the one before it'],
        field,
      )
    }
  })

  it('names an entry that was changed with a new hash: the one after it does not follow', async () => {
    const { hash } = JSON.parse(lines[6] ?? '').entry
    const forged = edited(lines, 7, ({ entry }) => {
      entry.message = 'nothing happened'
      entry.hash = entryHash(hash, entry)
    })
    assert.equal((await breakOf(forged))[0], 8)
  })

  it('names where entries were removed: the first, some, and the last', async () => {
    assert.deepEqual(await breakOf(without(lines, 1)), [1, 'entry 1 is missing, though not pruned'])
    assert.deepEqual(await breakOf(without(without(lines, 8), 9)), [8, 'entries 8 to 9 are missing'])
    assert.deepEqual(await breakOf(lines.slice(0, -3)), [
      28,
      'entries 28 to 30 are cut off at the end of the file',
    ])
  })

  it('names where an entry was inserted, or is there twice', async () => {
    const copy = lines[lineOf(lines, 8)] ?? ''
    assert.equal((await breakOf(withLine(lines, 8, copy)))[0], 8)
    const forged = edited([copy], 0, ({ entry }) => (entry.message = 'inserted'))[0] ?? ''
    assert.deepEqual(await breakOf(withLine(lines, 8, forged)), [
      8,
      'entry 8 comes later in the file, or twice: entries were moved or inserted',
    ])
    assert.deepEqual(await breakOf([...lines, copy]), [
      8,
      'entry 8 comes again after entry 30: it was inserted',
    ])
  })

  it('names the first of two entries that were exchanged', async () => {
    const [a, b] = [lineOf(lines, 8), lineOf(lines, 9)]
    const exchanged = lines.with(a, lines[b] ?? '').with(b, lines[a] ?? '')
    assert.deepEqual(await breakOf(exchanged), [
      8,
      'entry 8 comes later in the file, or twice: entries were moved or inserted',
    ])
  })

  it('names a line that is written in another way, though it says the same', async () => {
    const index = lineOf(lines, 8)
    const [line = ''] = lines.slice(index)
    for (const other of [
      line.replace('{"entry":', '{ "entry":'),
      line.replace('“', '\\u201c'),
      `${line} `,
      '',
    ])
      assert.deepEqual(await breakOf(lines.with(index, other)), [8, `line ${index + 1} is damaged`])
  })

  it('names the entries that were written anew up to a checkpoint that they do not meet', async () => {
    const other = await openParcels()
    await append(other, 30, { message: 'nothing happened' })
    const written = (await exported(other)).slice(1)
    await other.close()
    const marked = lines.find((line) => line.startsWith('{"checkpoint"')) ?? ''
    const anew = [lines[0] ?? '', ...written.toSpliced(20, 0, marked)]
    assert.deepEqual(await breakOf(anew), [
      1,
      'entries 1 to 20 are not as the checkpoint at entry 20 has them',
    ])
  })

  it('is not whole when its beginning or its end was cut off, and a checkpoint of the file put in the header', async () => {
    const index = lines.findIndex((line) => line.startsWith('{"checkpoint"'))
    const { checkpoint } = JSON.parse(lines[index] ?? '')
    const { id, hash } = checkpoint
    const { key } = JSON.parse(lines[0] ?? '').activity
    const begun = [lines[0] ?? '', ...lines.slice(index + 1)]
    const ended = lines.slice(0, index + 1)
    for (const [name, rest] of [
      ['anchor', begun],
      ['newest', ended],
    ] as const) {
      const link = edited(rest, 0, ({ activity }) => (activity[name] = { id, hash }))
      assert.deepEqual(await breakOf(link, { key }), [null, `the header is not signed by ${key}`], name)
      const moved = edited(rest, 0, ({ activity }) => (activity[name] = checkpoint))
      await assert.rejects(verifyLines(moved, { key }), NotAnExport, name)
    }
    await assert.rejects(verifyLines([canonical({ activity: checkpoint }), ...begun.slice(1)]), NotAnExport)
  })

  it('names a checkpoint that comes twice, and counts those that were removed or inserted', async () => {
    const index = lines.findIndex((line) => line.startsWith('{"checkpoint"'))
    const line = lines[index] ?? ''
    assert.deepEqual(await breakOf(lines.toSpliced(index, 0, line)), [
      20,
      'the checkpoint at entry 20 comes twice',
    ])
    assert.deepEqual(await breakOf(lines.toSpliced(index, 1)), [null, '0 of 1 checkpoints are in the file'])
    const inserted = canonical({ checkpoint: await signNewest(store, exportedAt) })
    assert.deepEqual(await breakOf([...lines, inserted]), [null, '2 of 1 checkpoints are in the file'])
  })

  it('is refused where a field that is printed has another form, whoever signed it', async () => {
    const pair = generateKeyPairSync('ed25519')
    const { activity } = JSON.parse(lines[0] ?? '')
    const { signature: _signature, ...about } = activity
    const own = { ...about, key: base64Of(pair.publicKey), checkpoints: 0 }
    const entries = lines.slice(1).filter((line) => line.startsWith('{"entry"'))
    const signed = (more: object) =>
      verifyLines([canonical({ activity: signStatement(pair.privateKey, { ...own, ...more }) }), ...entries])
    assert.equal((await signed({})).ok, true)
    for (const more of [
      { created_at: '2026-06-01T12:00:00.000Z\u001b[8m' },
      { key: `${own.key}\n` },
      { key: 'A'.repeat(100_000) },
      { newest: { ...own.newest, hash: `${own.newest.hash}\u001b[2J` } },
    ])
      await assert.rejects(signed(more), NotAnExport, JSON.stringify(more).slice(0, 100))
  })

  it('has a damaged line where one is longer than any of an export', async () => {
    const long = Buffer.alloc(65 * 1024 * 1024, 'a')
    const start = Buffer.from(`${lines.slice(0, 3).join('\n')}\n`)
    const { broken_at, reason } = await verifyBytes(Buffer.concat([start, long]))
    assert.deepEqual([broken_at, reason], [3, 'line 4 is damaged'])
    await assert.rejects(verifyBytes(long), NotAnExport)
  })

  it('is not taken for whole by any byte that was changed', async () => {
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    const position = fc.nat(bytes.length - 1)
    await fc.assert(
      fc.asyncProperty(position, fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ by
        const ok = await verifyBytes(changed).then(
          (verdict) => verdict.ok,
          (error: unknown) => !(error instanceof NotAnExport),
        )
        assert.equal(ok, false)
      }),
      { numRuns: isLong ? 20_000 : 300, seed: 62 },
    )
  })

  it('is not taken for whole whichever lines were removed, doubled or exchanged', async () => {
    const entries = lines.flatMap((line, index) => (line.startsWith('{"entry"') ? [index] : []))
    const index = fc.constantFrom(...entries)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('remove', 'double', 'exchange'), index, index, async (how, a, b) => {
        fc.pre(how !== 'exchange' || a !== b)
        const [one = '', other = ''] = [lines[a], lines[b]]
        const changed =
          how === 'remove'
            ? lines.toSpliced(a, 1)
            : how === 'double'
              ? lines.toSpliced(b, 0, one)
              : lines.with(a, other).with(b, one)
        const { ok, broken_at } = await verifyLines(changed)
        const idAt = (at: number) => JSON.parse(lines[at] ?? '').entry.id
        const first = how === 'exchange' ? Math.min(idAt(a), idAt(b)) : idAt(a)
        assert.equal(ok, false)
        if (how !== 'double') assert.equal(broken_at, first)
      }),
      { numRuns: isLong ? 5000 : 200, seed: 62 },
    )
  })
})

describe('signatures and checkpoints from elsewhere', () => {
  const stranger = generateKeyPairSync('ed25519')
  const strangerKey = base64Of(stranger.publicKey)
  /** Signs a statement anew with the stranger's key. */
  const resigned = ({ signature: _signature, ...statement }: Signed) =>
    signStatement(stranger.privateKey, { ...statement, key: strangerKey })
  beforeEach(() => append(store, 20))

  it('tell a forged checkpoint, in the header and among the entries', async () => {
    await checkpointNewest(store, exportedAt)
    const lines = await exported(store)
    const { key } = JSON.parse(lines[0] ?? '').activity
    const unsigned = [20, `the checkpoint at entry 20 is not signed by ${key}`]
    const inHeader = edited(lines, 0, ({ activity }) => (activity.broken_at = 3))
    assert.deepEqual(await breakOf(inHeader), [null, `the header is not signed by ${key}`])
    const among = edited(lines, lines.length - 1, (value) => (value.checkpoint.broken_at = 3))
    assert.deepEqual(await breakOf(among), unsigned)
    const moved = [...lines.slice(0, 5), lines.at(-1) ?? '', ...lines.slice(5, -1)]
    assert.deepEqual(await breakOf(moved), [20, 'the checkpoint at entry 20 is in another place'])
  })

  it('tell an export of another key, which is whole by itself', async () => {
    const forged = edited(await exported(store), 0, (value) => (value.activity = resigned(value.activity)))
    const alone = await verifyLines(forged)
    assert.deepEqual([alone.ok, alone.is_key_given], [true, false])
    const { text: key } = publicKeyOf(store)
    assert.deepEqual(await breakOf(forged, { key }), [
      null,
      `the export is signed by ${strangerKey}, not by ${key}`,
    ])
    const checkpoint = await signNewest(store, exportedAt)
    assert.equal((await breakOf(forged, { checkpoint }))[0], null)
  })

  it('tell a given checkpoint of another key than the given one, without a word about the entries', async () => {
    const lines = await exported(store)
    const { text: key } = publicKeyOf(store)
    const checkpoint = resigned(await signNewest(store, exportedAt)) as Checkpoint
    const verdict = await verifyLines(lines, { key, checkpoint })
    assert.deepEqual(
      [verdict.ok, verdict.broken_at, verdict.reason, verdict.checkpoint],
      [false, null, `the given checkpoint is signed by ${strangerKey}, the export by ${key}`, 'missing'],
    )
  })

  it('tell a break that a checkpoint among the entries says, though the header does not', async () => {
    await checkpointNewest(store, exportedAt)
    await append(store, 5)
    const lines = await exported(store)
    const index = lines.findIndex((line) => line.startsWith('{"checkpoint"'))
    const { type: _type, key, signature: _signature, ...about } = JSON.parse(lines[index] ?? '').checkpoint
    const checkpoint = signAt(store, { ...about, broken_at: 3 })
    assert.deepEqual(await breakOf(lines.with(index, canonical({ checkpoint })), { key }), [
      3,
      'the panel itself has noticed a break here',
    ])
  })

  it('say what a check has found from then on, and after the entry was put back', async () => {
    await append(store, 20)
    const write = (message: string) =>
      sql`update activity set message = ${message} where id = 5`.execute(store.db)
    await write('nothing happened')
    const found = await verifyActivity(store, new AbortController().signal)
    assert.ok(!found.ok)
    await noteFound(store, found, exportedAt)
    assert.equal((await signNewest(store, exportedAt)).broken_at, 5)
    assert.equal(await checkpointNewest(store, exportedAt), 40)
    await write('entry 4 “é”')
    const lines = await exported(store)
    assert.equal(JSON.parse(lines.at(-1) ?? '').checkpoint.broken_at, 5)
    assert.deepEqual(await breakOf(lines), [5, 'the panel itself has noticed a break here'])
  })

  it('tell a log whose end was cut off, with all that was signed since', async () => {
    const earlier = await exported(store)
    await append(store, 5)
    const checkpoint = await signNewest(store, exportedAt)
    assert.equal((await verifyLines(earlier, { checkpoint })).checkpoint, 'missing')
    assert.equal(await breakOf(earlier, { key: checkpoint.key }), 'whole')
    assert.deepEqual(await breakOf(earlier, { checkpoint }), [
      21,
      'entries 21 to 25 are cut off: the given checkpoint is newer',
    ])
    assert.equal(await breakOf(await exported(store), { checkpoint }), 'whole')
  })

  it('tell a log that the holder of the key wrote anew', async () => {
    const checkpoint = await signNewest(store, exportedAt)
    const other = await openParcels() // stores in memory share one key
    await append(other, 30, { message: 'nothing happened' })
    const anew = await exported(other)
    await other.close()
    assert.equal(await breakOf(anew, { key: checkpoint.key }), 'whole')
    assert.deepEqual(await breakOf(anew, { checkpoint }), [
      20,
      'entry 20 is not that of the given checkpoint: entries up to it were written anew',
    ])
  })

  it('tell a break that the panel has noticed, though the entries fit together', async () => {
    await sql`update activity_head set signature = 'forged'`.execute(store.db)
    assert.equal(await checkpointNewest(store, exportedAt), undefined)
    await append(store, 2)
    const noticed = [20, 'the panel itself has noticed a break here']
    assert.deepEqual(await breakOf(await exported(store)), noticed)
    assert.equal(await checkpointNewest(store, exportedAt), 22)
    assert.deepEqual(await breakOf(await exported(store)), noticed)
  })

  it('tell what was cut off in the store before the panel goes on', async () => {
    await sql`delete from activity where id > 18`.execute(store.db)
    assert.equal((await signNewest(store, exportedAt)).broken_at, 19)
    assert.deepEqual((await breakOf(await exported(store)))[0], 19)
    await append(store, 1)
    assert.deepEqual(await breakOf(await exported(store)), [19, 'entries 19 to 20 are missing'])
  })

  it('are checked by the panel, too', async () => {
    await checkpointNewest(store, exportedAt)
    const check = () => verifyActivity(store, new AbortController().signal)
    assert.equal((await check()).ok, true)
    await sql`update activity_signed_checkpoints set broken_at = 4`.execute(store.db)
    assert.deepEqual(await check(), {
      ...{ ok: false, broken_at: 20 },
      reason: 'the checkpoint at this row is not signed by this panel',
    })
  })
})

describe('a file that is no export', () => {
  for (const [title, text] of [
    ['nothing', ''],
    ['other JSON', '{"entry":{}}\n'],
    ['text', 'hello\n'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 10])],
  ] as const)
    it(`is refused: ${title}`, async () => {
      await assert.rejects(verifyBytes(Buffer.from(text)), NotAnExport)
    })
})
