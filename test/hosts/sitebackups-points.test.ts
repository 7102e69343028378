import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { run } from '../../src/host/run.ts'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { s3SettingsOf, startS3 } from './story/s3-store.ts'
import { SignedIn } from './story/signed-in.ts'
import { differenceOf, readTree } from './story/tree.ts'

const limitMs = 120_000
const storeAddress = '10.77.0.66'
const domain = 'shop.example.com'
/** The folder in which files change while a backup is made: no state of it is the right one. */
const busy = 'busy'

/**
 * Some 500 files: sparse and dense, links, unusual names, access lists, a folder that its owner cannot write to. Hard links of
 * a folder that is renamed later are within it: tar stores its files anew, and the other names of their inodes not.
 */
const first = `
mkdir -p public/live public/staged public/many public/odd public/shared public/${busy} public/closed public/becomes-a-file public/linked
cd public
for n in $(seq 1 460); do echo "page $n" > many/$n; done
head -c 700000 /dev/urandom > dense
truncate -s 20M sparse; printf middle | dd of=sparse bs=1 seek=9000000 conv=notrunc status=none
printf begin > sparse-at-the-end; truncate -s 5M sparse-at-the-end
ln -s many/1 link; ln -s /nowhere/at-all dangling; ln -s . loop; echo linked | tee linked/1 linked/2 > odd/1; ln linked/1 hard; ln odd/1 odd/hard
mkfifo pipe
cd odd
for name in ' both ' '-rf' '--help' 'quote"'"'"'$(id);*?' 'back\\slash' '.hidden' '~' "$(printf 'n%.0s' $(seq 255))" \\
  $'new\\nline' $'tab\\t' $'\\001' $'\\xc3\\xbc' $'\\xff\\xfe' $'-\\n'; do printf '%s' "$name" > "./$name"; done
cd ..
chmod 600 many/3; chmod 444 many/4; chmod 755 many/5; chmod 700 odd
touch -d '2001-02-03 04:05:06.789012345' many/6; touch -h -d '1999-01-01' link
setfacl -m u:nobody:r,g:games:rw many/7
setfacl -m u:nobody:rx,d:u:nobody:rwx shared
echo old > live/page; echo new > staged/page; echo inherits > shared/file; mkdir shared/folder
echo stays > closed/stays; echo goes > closed/goes; chmod 555 closed
echo folder > becomes-a-file/in`

const second = `
cd public
rm many/8 many/9; echo changed > many/10; echo new > many/new; rm many/11; mkdir many/11; echo in > many/11/in
rm -r becomes-a-file; echo file > becomes-a-file
rm -r live; mv staged live; mv odd renamed; rm renamed/-rf; echo more >> 'renamed/ both '
chmod 640 many/3; touch -d '2002-03-04 05:06:07.1' many/12
setfacl -b many/7; setfacl -m u:nobody:rw many/13; setfacl -k shared
ln linked/2 later-hard; ln -sfn many/15 link
chmod 755 closed; rm closed/goes; chmod 555 closed
printf end >> sparse-at-the-end`

const third = `
cd public
mv renamed odd; mv many moved; rm dense; rm sparse; truncate -s 8M sparse; printf x >> sparse
echo third > moved/10; rm hard
chmod 700 closed; echo again > closed/goes; chmod 500 closed
mkdir -p deep/er/and/deeper; echo deep > deep/er/and/deeper/file; mkdir empty; chmod 711 empty`

describe('each point of a chain of backups', () => {
  let [host, objects] = [{} as Host, {} as Host]
  let panel: Panel
  let [admin, ada] = [{} as SignedIn, {} as SignedIn]
  let site = 0
  /** The name of each backup, the files then, and the rows then. */
  const points: { readonly name: string; readonly files: readonly string[]; readonly rows: string }[] = []
  before(async () => {
    ;[host, objects] = await Promise.all([
      bootHost('points', { image: 'mariadb', addresses: ['10.77.0.65/24'] }),
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
    await admin.must('POST', '/api/settings/backup', {
      ...s3SettingsOf(storeAddress),
      ...{ s3_prefix: 'web', remote_enabled: 1 },
    })
  })
  after(async () => {
    await host.remove?.()
    await objects.remove?.()
  })

  const folder = () => join(host.rootPath, `home/ada/sites/${domain}`)
  const asAda = (script: string) =>
    host.must(['su', '-s', '/bin/bash', 'ada', '-c', `set -e; cd ~/sites/${domain}; ${script}`], {
      timeoutMs: limitMs,
    })
  const attribute = async (path: string, name: string, value: string) => {
    const argv = ['setfattr', '-n', `user.${name}`, '-v', value, join(folder(), 'public', path)] as const
    const { code, stderr } = await run(argv)
    assert.equal(code, 0, stderr)
  }
  const query = async (text: string) => (await host.must(['mariadb', '--batch', '-Ne', text])).stdout.trim()
  const rows = async () => {
    const tables = await query(
      "select table_name, table_type from information_schema.tables where table_schema = 'ada_shop' order by 1",
    )
    const orders = await query('select id, hex(body), note from ada_shop.orders order by id')
    return `${tables}\n${createHash('sha256').update(orders).digest('hex')}`
  }
  const files = () => readTree(folder(), busy)

  /** Changes files of the website all the time; returns what stops it. */
  const keepBusy = () => {
    const ended = asAda(
      `rm -f ~/stop; cd public/${busy}; for n in $(seq 1 20000); do if [ -e ~/stop ]; then exit 0; fi; echo "$n" >> log; echo "$n" > "f$((n % 20))"; rm -f "f$(((n + 7) % 20))"; sleep 0.01; done`,
    )
    ended.catch(() => {}) // its failure is that of the wait for it
    return async () => {
      await asAda('touch ~/stop')
      await ended
    }
  }
  const backUp = async () => {
    const state = { files: await files(), rows: await rows() }
    const stop = keepBusy()
    const { bytes } = await ada.ask('POST', `/api/websites/${site}/backups`, {})
    await stop()
    const name = /"type":"done","name":"([^"]+)"/.exec(bytes.toString())?.[1] ?? assert.fail(bytes.toString())
    assert.deepEqual(differenceOf(state.files, await files()), [], 'a backup changes nothing')
    points.push({ name, ...state })
  }
  const untilIdle = () =>
    poll('every job to end', limitMs, async () => {
      const { items } = await admin.must('GET', '/api/jobs?per_page=200')
      const isActive = ({ state }: { readonly state: string }) => ['queued', 'running'].includes(state)
      return items.some(isActive) ? undefined : true
    })
  const restore = async (name: string) => {
    const { job_id } = await ada.must('POST', `/api/websites/${site}/backups/${name}/restore`, {})
    const events = await ada.followJob(job_id)
    assert.equal(events.at(-1)?.['state'], 'succeeded', JSON.stringify(events.slice(-3)))
    await untilIdle()
  }
  const assertIsPoint = async (at: number) => {
    const point = points[at] ?? assert.fail()
    assert.deepEqual(differenceOf(point.files, await files()), [], point.name)
    assert.equal(await rows(), point.rows, point.name)
    const sparse = await stat(join(folder(), 'public/sparse'))
    assert.ok(sparse.blocks * 512 < sparse.size / 2, `${sparse.blocks} blocks of ${sparse.size} bytes`)
    assert.deepEqual(
      (await readdir(join(host.rootPath, 'home/ada/sites'))).filter((each) => each.startsWith('.')),
      [],
    )
  }

  it('is made while files and rows change, the first in full, two as increments', async () => {
    await asAda(first)
    await attribute('many/16', 'note', 'kept')
    await attribute('many/17', 'bytes', '0x00ff0a')
    await attribute('shared', 'of-a-folder', 'kept')
    await query(
      "use ada_shop; create table orders (id int primary key, body varbinary(40), note text); insert into orders select seq, unhex(sha1(seq)), repeat('ü', seq % 7) from seq_1_to_3000; create view large as select id from orders where id > 2000",
    )
    await backUp()
    await asAda(second)
    await attribute('many/16', 'note', 'changed')
    await attribute('many/18', 'note', 'later')
    await query('delete from ada_shop.orders where id % 3 = 0; create table ada_shop.later (a int)')
    await backUp()
    await asAda(third)
    await query(
      "update ada_shop.orders set note = 'third' where id < 100; drop table ada_shop.later; drop view ada_shop.large",
    )
    await backUp()
    const { items } = await ada.must('GET', `/api/websites/${site}/backups`)
    assert.deepEqual(
      items.map(({ name, is_full }: { readonly name: string; readonly is_full: boolean }) => [name, is_full]),
      points.map(({ name }, at) => [name, at === 0]).toReversed(),
    )
    assert.ok((points[0]?.files.length ?? 0) > 500)
    assert.ok(differenceOf(points[0]?.files ?? [], points[1]?.files ?? []).length > 20)
  })

  it('is restored on the host: equal in bytes, modes, owners, times, lists and attributes', async () => {
    for (const at of [1, 0, 2]) {
      await asAda('chmod -R u+w .; rm -rf public; mkdir public; echo lost > public/index.html')
      await query('truncate ada_shop.orders; create table ada_shop.stray (a int)')
      await restore(points[at]?.name ?? '')
      await assertIsPoint(at)
    }
  })

  it('is restored from S3 alone, equal as well', async () => {
    const stored = join(objects.rootPath, `srv/s3/backups/web/websites/ada/${domain}`)
    await poll('the copies on S3', limitMs, async () => {
      const isThere = points.map(async ({ name }) =>
        (await readdir(join(stored, name)).catch((): string[] => [])).includes('manifest.json'),
      )
      return (await Promise.all(isThere)).every(Boolean) ? true : undefined
    })
    await untilIdle()
    for (const at of [2, 0, 1]) {
      await host.must(['rm', '-rf', '/var/lib/hostreeve/backups/websites/ada'])
      await asAda('chmod -R u+w .; rm -rf public; mkdir public; echo lost > public/index.html')
      await query('truncate ada_shop.orders; create table ada_shop.stray (a int)')
      await restore(points[at]?.name ?? '')
      await assertIsPoint(at)
    }
  })
})
