import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host } from './harness/index.ts'
import { type Answer, type Owner, SignedIn } from './story/signed-in.ts'
import { visit } from './story/visit.ts'
import { downloadEnvironment, downloadUrl, serveDownloads, serveUpdateApi } from './story/wordpress-org.ts'

const blog = 'blog.example.com'
const root = `/home/ada/sites/${blog}/public`
const known = 'wordpress-99.1.zip'

describe('WordPress itself', () => {
  let host: Host
  let ada: Owner
  let bob: Owner
  let id: number
  let former: string
  before(async () => {
    host = await bootHost('wpcore', { image: 'phpPools' })
    await serveDownloads(host)
    const panel = await startPanel(host, { env: downloadEnvironment })
    const admin = await SignedIn.as(panel)
    await admin.installNginx()
    await admin.must('POST', '/api/sqldb/install')
    ada = await admin.makeOwner('ada')
    bob = await admin.makeOwner('bob')
    const installed = await ada.signedIn.must('POST', '/api/applications', {
      ...{ application: 'wordpress', domain: blog, email: 'ada@example.com', certificate: 'none' },
    })
    id = installed.website_id
    former = (await read()).version
    await serveUpdateApi(host, bob, downloadUrl(known))
    // a release, as its makers pack it
    await asAda(`mkdir made; cp -r ${root} made/wordpress; cd made/wordpress; rm -r wp-config.php wp-content
      mkdir wp-content; echo WordPress >readme.html`)
  })
  after(() => host?.remove())

  const at = (path: string) => join(host.rootPath, path)
  const asAda = async (script: string) => {
    const argv = [
      'setpriv',
      '--reuid=ada',
      '--regid=ada',
      '--clear-groups',
      '--',
      'env',
      'HOME=/home/ada',
    ] as const
    return (await host.must([...argv, 'sh', '-ec', `cd; ${script}`])).stdout
  }
  /** Packs a release into the home; one that is refused has no more than is looked at. */
  const pack = (name: string, version: string, { isWhole = false, rows = 1 } = {}) =>
    asAda(`cd made; rm -f ~/${name}
      sed -i "s/^\\$wp_version = .*/\\$wp_version = '${version}';/; s/^\\$wp_db_version = .*/\\$wp_db_version = ${rows};/" wordpress/wp-includes/version.php
      zip -qr1 ~/${name} ${isWhole ? 'wordpress' : 'wordpress/readme.html wordpress/wp-includes/version.php wordpress/wp-admin/includes/update-core.php'}`)
  const serve = async (name: string, under = known) => {
    await host.must(['cp', `/home/ada/${name}`, `/srv/downloads/${under}`])
  }
  const sha256 = async (name: string) =>
    createHash('sha256')
      .update(await readFile(at(`home/ada/${name}`)))
      .digest('hex')
  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    ada.signedIn.ask(method, `/api/wordpress/${id}${path}`, body)
  const update = (body: object, query = '') => ask('POST', `/core/update${query}`, body)
  const read = async (): Promise<any> => (await ask('GET', '')).data
  const shown = async (): Promise<string | undefined> =>
    /<meta name="generator" content="WordPress ([^"]*)"/.exec((await visit(host, blog)).text)?.[1]
  const query = async (text: string) => (await host.must(['mariadb', '--batch', '-Ne', text])).stdout.trim()
  const options = async () => `${(await query("show databases like 'ada%'")).split('\n')[0]}.wp_options`
  const option = async (name: string) =>
    query(`select option_value from ${await options()} where option_name = '${name}'`)
  const refuses = async (answer: Promise<Answer>, code: string, message: RegExp) => {
    const { code: found, message: told } = await answer
    assert.equal(found, code, told)
    assert.match(told, message)
  }

  it('is not updated without a known update, and by nobody else', async () => {
    await refuses(update({}), 'bad_request', /^WordPress knows of no update of itself/)
    const path = `/api/wordpress/${id}/core/update`
    assert.equal((await bob.signedIn.ask('POST', path, {})).status, 404)
    const checked = await ask('POST', '/check')
    assert.equal(checked.data?.core, '99.1', checked.message)
    assert.equal((await read()).new_version, '99.1')
  })

  it('refuses what is not a newer WordPress, and changes nothing', async () => {
    await pack('old.zip', '5.0')
    await pack('other.zip', '98.0')
    await asAda(`echo text >text.zip; cd ${root}/wp-content; zip -qr ~/themes.zip themes`)
    for (const [path, message] of [
      ['old.zip', `path: old.zip has WordPress 5.0, which is older than ${former} of the website`],
      ['themes.zip', 'path: themes.zip is no zip archive of WordPress'],
      ['text.zip', 'path: text.zip is no zip archive of WordPress'],
      ['none.zip', 'path: none.zip is not a file in the home of ada'],
    ] as const) {
      const answer = await update({ path })
      assert.deepEqual([answer.status, answer.code, answer.message], [400, 'bad_request', message])
    }
    const url = downloadUrl(known)
    await refuses(update({ url }), 'bad_request', /^sha256: is required with url/)
    await refuses(update({ url, path: 'old.zip' }), 'bad_request', /^path: must not be given together/)
    await refuses(update({}), 'download_failed', /answered 404/)
    await serve('other.zip')
    await refuses(update({}), 'download_failed', /has WordPress 98\.0, and 99\.1 is expected/)
    await refuses(update({ url, sha256: 'a'.repeat(64) }), 'download_failed', /^sha256: /)
    await refuses(
      update({ url: 'https://10.77.0.99/w.zip', sha256: 'a'.repeat(64) }),
      'download_failed',
      /internal addresses/,
    )
    const lock = `${await options()} set option_name = 'core_updater.lock'`
    await query(`insert into ${lock}, option_value = unix_timestamp()`)
    await refuses(update({ path: 'other.zip' }), 'already_running', /is updating itself: try again later/)
    await query(`delete from ${await options()} where option_name = 'core_updater.lock'`)
    assert.equal(await shown(), former)
    assert.equal((await read()).version, former)
  })

  it('is updated to the known version, with its database', async () => {
    await pack(known, '99.1', { isWhole: true, rows: 99_001 })
    await serve(known)
    const planned = await update({}, '?plan=1')
    assert.match(
      JSON.stringify(planned.data),
      new RegExp(`WordPress ${former.replaceAll('.', '\\.')} to 99\\.1 from https`),
    )
    const config = await readFile(at(`${root}/wp-config.php`), 'utf8')
    const answer = await update({})
    assert.equal(answer.status, 200, `${answer.code}: ${answer.message}`)
    assert.deepEqual(answer.data.items, [
      { kind: 'core', name: 'WordPress', former_version: former, version: '99.1' },
    ])
    assert.equal(await shown(), '99.1')
    assert.equal(await option('db_version'), '99001')
    const found = await read()
    assert.deepEqual([found.version, found.new_version, found.checked_at], ['99.1', null, null])
    assert.equal(await readFile(at(`${root}/wp-config.php`), 'utf8'), config)
    const { items } = await ada.signedIn.must('GET', `/api/websites/${id}/backups`)
    assert.ok(items.some(({ name }: { readonly name: string }) => name === answer.data.backup))
    assert.equal((await host.must(['find', '/home/ada/sites', '!', '-user', 'ada'])).stdout, '')
    // the same version again mends its files
    const again = await update({ path: known }, '?plan=1')
    assert.match(JSON.stringify(again.data), /WordPress 99\.1 to 99\.1 from wordpress-99\.1\.zip in the home/)
  })

  it('is put back with its database where the website fails afterwards', async () => {
    await asAda('echo "<?php none();" >made/wordpress/wp-includes/template-loader.php')
    await pack('broken.zip', '99.2', { isWhole: true, rows: 99_002 })
    const packed = await sha256('broken.zip')
    const answer = await update({ path: 'broken.zip' })
    assert.deepEqual([answer.status, answer.code], [500, 'update_failed'], answer.message)
    assert.match(answer.message, /^blog\.example\.com\/ answered 500: .*Nothing was changed/)
    await poll('the website to answer again', 60_000, async () =>
      (await shown()) === '99.1' ? true : undefined,
    )
    assert.equal((await read()).version, '99.1')
    assert.equal(await option('db_version'), '99001')
    assert.ok(!existsSync(at(`${root}/.maintenance`)))
    assert.equal(await sha256('broken.zip'), packed)
    const left = await host.must(['find', '/home/ada/sites', '-maxdepth', '1', '-name', '.hostreeve*'])
    assert.equal(left.stdout, '')
  })

  it('has a plugin updated by a package that is downloaded', async () => {
    const write = (version: string, folder: string) =>
      `mkdir -p ${folder}/probe; printf '<?php\\n/*\\nPlugin Name: Probe\\nVersion: ${version}\\n*/\\n' >${folder}/probe/probe.php`
    await asAda(`${write('1.0', `${root}/wp-content/plugins`)}
      ${write('2.0', 'made')}; cd made; zip -qr ~/probe.zip probe`)
    await serve('probe.zip', 'probe.zip')
    const item = { kind: 'plugin', name: 'probe/probe.php' }
    const source = { url: downloadUrl('probe.zip'), sha256: await sha256('probe.zip') }
    const answer = await ask('POST', '/updates', { items: [{ ...item, ...source }] })
    assert.equal(answer.status, 200, `${answer.code}: ${answer.message}`)
    assert.deepEqual(answer.data.items, [{ ...item, former_version: '1.0', version: '2.0' }])
  })
})
