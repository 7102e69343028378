import assert from 'node:assert/strict'
import { verify } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { killWhile } from './story/kill.ts'
import { s3SettingsOf, startS3 } from './story/s3-store.ts'
import { SignedIn } from './story/signed-in.ts'

const limitMs = 120_000
const storeAddress = '10.77.0.64'
const domain = 'shop.example.com'
const s3 = s3SettingsOf(storeAddress)

describe('drills of backups', () => {
  let [host, objects] = [{} as Host, {} as Host]
  let panel: Panel
  let [admin, ada] = [{} as SignedIn, {} as SignedIn]
  let site = 0
  let backup = ''
  before(async () => {
    ;[host, objects] = await Promise.all([
      bootHost('drills', { image: 'mariadb', addresses: ['10.77.0.63/24'] }),
      bootHost('objects', { addresses: [`${storeAddress}/24`] }),
    ])
    await startS3(objects, storeAddress)
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    await admin.must('POST', '/api/sqldb/install')
    ada = (await admin.makeOwner('ada')).signedIn
    site = (await ada.must('POST', '/api/websites', { domain, type: 'static' })).id
    await ada.must('POST', `/api/websites/${site}/databases`, {
      ...{ name: 'shop', username: 'shop', password: 'the password of shop' },
    })
    await admin.must('POST', '/api/settings/backup', { ...s3, s3_prefix: 'web', remote_enabled: 1 })
    await fill()
  })
  after(async () => {
    await host.remove?.()
    await objects.remove?.()
  })

  const query = async (text: string) => (await host.must(['mariadb', '--batch', '-Ne', text])).stdout.trim()
  const asAda = (script: string) => host.must(['su', '-s', '/bin/sh', 'ada', '-c', script])
  /** Files and tables that take a moment to restore. */
  const fill = async () => {
    await asAda(
      `cd ~/sites/${domain} && mkdir -p public/many && cd public && for n in $(seq 1 300); do echo "page $n" > many/$n; done; ln -s many/1 link; truncate -s 5M sparse; setfacl -m u:nobody:r many/1 2>/dev/null; echo plain > "a b"`,
    )
    await query('create table ada_shop.lost (a int); insert into ada_shop.lost values (1)')
    await query(
      "use ada_shop; create table orders (a int, b text); insert into orders select seq, repeat('x', 200) from seq_1_to_40000",
    )
  }
  const backUp = async () => {
    const { bytes } = await ada.ask('POST', `/api/websites/${site}/backups`, {})
    return /"type":"done","name":"([^"]+)"/.exec(bytes.toString())?.[1] ?? assert.fail(bytes.toString())
  }
  const drill = async (body: object = {}) => {
    const { job_id } = await ada.must('POST', `/api/websites/${site}/backups/drill`, body)
    const events = await ada.followJob(job_id)
    assert.equal(events.at(-1)?.['state'], 'succeeded', JSON.stringify(events.slice(-3)))
    return (await ada.must('GET', `/api/websites/${site}/backups/drills`)).items[0]
  }
  /** What a drill must not leave: folders, databases, accounts. */
  const left = async () => {
    const folder = join(host.rootPath, 'home/ada/sites')
    const drills = join(host.rootPath, 'var/lib/hostreeve/backups/drills')
    return [
      ...(await readdir(folder)).filter((name) => name.startsWith('.')),
      ...(await readdir(drills).catch(() => [])),
      await query("select schema_name from information_schema.schemata where schema_name like 'hostreeve%'"),
      await query("select User from mysql.user where User like 'hostreeve%'"),
    ].filter((text) => text !== '')
  }
  const assertNothingLeft = async () => assert.deepEqual(await left(), [])
  const depot = () => join(host.rootPath, `var/lib/hostreeve/backups/websites/ada/${domain}`)
  const stored = () => join(objects.rootPath, `srv/s3/backups/web/websites/ada/${domain}`)
  const flip = async (path: string) => {
    const bytes = await readFile(path)
    bytes[bytes.length - 20]! ^= 1
    await writeFile(path, bytes)
  }

  it('prove a chain on the host, whose signed report the published key verifies', async () => {
    await backUp()
    await asAda(`cd ~/sites/${domain}/public && rm many/7 && echo new > many/new`)
    backup = await backUp()
    const found = await drill()
    assert.deepEqual([found.backup, found.source, found.passed, found.message], [backup, 'local', true, ''])
    await assertNothingLeft()
    const { report, signature } = await ada.must(
      'GET',
      `/api/websites/${site}/backups/drills/${found.id}/report`,
    )
    const { public_key } = await ada.must('GET', '/api/backups/drills/key')
    assert.ok(verify(null, Buffer.from(report), public_key, Buffer.from(signature, 'base64')))
    const forged = report.replace('"passed": true', '"passed": false')
    assert.ok(!verify(null, Buffer.from(forged), public_key, Buffer.from(signature, 'base64')))
    const { items } = await ada.must('GET', '/api/backups/drills')
    assert.deepEqual([items[0].proven_at, items[0].age_days], [found.ended_at, 0])
  })

  it('prove a copy on S3, and find a flipped byte in an object, as a restore does', async () => {
    await poll('the copy on S3', limitMs, async () =>
      (await readdir(join(stored(), backup)).catch((): string[] => [])).includes('manifest.json')
        ? true
        : undefined,
    )
    const found = await drill({ source: 's3' })
    assert.deepEqual([found.source, found.passed, found.message], ['s3', true, ''])
    await assertNothingLeft()
    await flip(join(stored(), backup, `${backup}.tar.gz`))
    assert.equal((await drill({ source: 's3' })).passed, false)
    await assertNothingLeft()
    const before = await tree()
    const asked = { source: 's3' }
    const { job_id } = await ada.must('POST', `/api/websites/${site}/backups/${backup}/restore`, asked)
    const last = (await ada.followJob(job_id)).at(-1)
    assert.deepEqual([last?.['state'], /differs/.test(String(last?.['message']))], ['failed', true])
    assert.equal(await tree(), before, 'a restore finds it too, and leaves the website as it was')
    await assertNothingLeft()
    assert.equal((await drill()).passed, true, 'the backup on the host is sound')
  })

  const hasScratchFolder = async () =>
    (await readdir(join(host.rootPath, 'home/ada/sites'))).includes(`.hostreeve-drill-${site}`)
  const hasScratchDatabase = async () =>
    (await readdir(join(host.rootPath, 'var/lib/mysql'))).includes(`hostreeve@003adrill@003a${site}`)

  for (const [moment, hasCome] of [
    ['unpacks files', hasScratchFolder],
    ['loads a database', hasScratchDatabase],
  ] as const)
    it(`leave nothing when the panel is killed while one ${moment}`, async (t) => {
      const isOver = await killWhile(panel, () => drill(), hasCome)
      if (isOver) t.diagnostic('missed: it had ended before the kill')
      admin = await SignedIn.as(panel)
      ada = await SignedIn.as(panel, 'ada@hosts.test', 'the password of ada')
      await poll('the scratch to be gone', limitMs, async () =>
        (await left()).length === 0 ? true : undefined,
      )
      assert.equal((await drill()).passed, true)
      await assertNothingLeft()
    })

  /** Signs in again and waits until what the kill cut off has been settled. */
  const untilSettled = async (isSettled: () => Promise<boolean>) => {
    admin = await SignedIn.as(panel)
    ada = await SignedIn.as(panel, 'ada@hosts.test', 'the password of ada')
    await poll('what was cut off to be settled', limitMs, async () =>
      (await isSettled()) ? true : undefined,
    )
  }
  const names = async (): Promise<readonly string[]> =>
    (await ada.must('GET', `/api/websites/${site}/backups`)).items.map(
      ({ name }: { readonly name: string }) => name,
    )
  const tree = async () =>
    (
      await asAda(
        `cd ~/sites/${domain} && find . -printf '%P %y %m %s %T@ %l\\n' | sort && find . -type f -print0 | sort -z | xargs -0 sha256sum`,
      )
    ).stdout
  const hasHidden = async (folder: string, start: string) =>
    (await readdir(folder)).some((name) => name.startsWith(start))

  it('prove each backup that is listed after the panel was killed while it made one', async () => {
    const before = await names()
    await killWhile(panel, backUp, () => hasHidden(depot(), '.unfinished-'))
    await untilSettled(async () => !(await hasHidden(depot(), '.unfinished-')))
    const now = await names()
    assert.deepEqual(
      before.filter((name) => !now.includes(name)),
      [],
      'no older backup is lost',
    )
    const { passed, message, backup: newest } = await drill()
    assert.deepEqual([passed, message, newest], [true, '', now[0]])
    await assertNothingLeft()
  })

  it('find the website as it was, or as the backup has it, after the panel was killed while it restored', async () => {
    const backedUp = await tree()
    backup = await backUp()
    await asAda(`cd ~/sites/${domain}/public && rm many/9 && echo later > later`)
    const later = await tree()
    const sites = join(host.rootPath, 'home/ada/sites')
    const restore = async () => {
      const path = `/api/websites/${site}/backups/${backup}/restore`
      await ada.followJob((await ada.must('POST', path, {})).job_id)
    }
    await killWhile(panel, restore, () => hasHidden(sites, '.hostreeve-restore-'))
    await untilSettled(async () => !(await hasHidden(sites, '.hostreeve-')))
    const found = await tree()
    assert.ok(found === backedUp || found === later, found)
    assert.equal(await query('select count(*) from ada_shop.orders'), '40000')
    const listed = await names()
    assert.ok(listed.includes(backup), listed.join(', '))
    assert.equal((await drill({ source: 'local' })).passed, true)
  })

  it('find a lost table in the dump and a flipped byte in the archive', async () => {
    const dump = join(depot(), backup, 'database-0.sql.gz')
    const inHost = dump.slice(host.rootPath.length)
    await host.must([
      'sh',
      '-ec',
      `gzip -dc "$0" | sed '/^DROP TABLE IF EXISTS .lost./,/^UNLOCK TABLES/d' | gzip > /root/dump.gz && mv /root/dump.gz "$0"`,
      inHost,
    ])
    const sum = (await host.must(['sha256sum', inHost])).stdout.split(' ')[0]
    const manifest = JSON.parse(await readFile(join(depot(), backup, 'manifest.json'), 'utf8'))
    const part = manifest.parts.find(({ kind }: { readonly kind: string }) => kind === 'database')
    Object.assign(part, { sha256: sum, size_bytes: (await readFile(dump)).length })
    await writeFile(join(depot(), backup, 'manifest.json'), JSON.stringify(manifest))
    const lost = await drill()
    assert.deepEqual([lost.passed, /missing: lost/.test(lost.message)], [false, true], lost.message)
    await flip(join(depot(), backup, `${backup}.tar.gz`))
    const flipped = await drill()
    assert.deepEqual([flipped.passed, /SHA-256/.test(flipped.message)], [false, true], flipped.message)
    await assertNothingLeft()
    assert.equal(await query('select count(*) from ada_shop.lost'), '1', 'the website is not touched')
    await poll('the owner to be notified', limitMs, async () => {
      const { items } = await ada.must('GET', '/api/notifications')
      return items.some(({ kind }: { readonly kind: string }) => kind === 'drill_failed') ? true : undefined
    })
  })
})
