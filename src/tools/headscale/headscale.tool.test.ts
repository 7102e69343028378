import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { meshPrograms } from '../../../test/hosts/story/mesh.ts'
import { freePorts } from '../../../test/support/free-ports.ts'
import { stepRun } from '../../../test/support/step-run.ts'
import { hangMs } from '../../../test/support/until.ts'
import { poll } from '../../core/poll.ts'
import { openHost } from '../../host/index.ts'
import { type HeadscaleApi, openApi } from './api.ts'
import { renderConfiguration } from './configuration.ts'
import { createApiKey, createPreAuthKey, expirePreAuthKey } from './keys.ts'
import { apiPort, configurationPath, dataDirectory, programPath, relayPort } from './layout.ts'
import { listApiKeys, listNodes, listPreAuthKeys, listUsers } from './objects.ts'
import { makePanelKey } from './panel-key.ts'
import { checkPolicy, readPolicy, setPolicy } from './policy.ts'
import { readVersion } from './program.ts'
import { readStoredKey } from './stored-key.ts'
import { createUser, deleteUser } from './users.ts'

describe('the API of a control server that really runs', () => {
  const root = mkdtempSync(`${tmpdir()}/hostreeve-headscale-`)
  const host = openHost({ root })
  let api: HeadscaleApi
  let server: ChildProcess | undefined
  const it = (title: string, run: () => Promise<void>) =>
    test(title, async (t) => (server === undefined ? t.skip('headscale is not built') : run()))
  const act = async <Args, Before, Result>(
    kind: {
      observe: (args: Args) => Promise<Before>
      act: (args: Args, run: ReturnType<typeof stepRun<Before>>) => Promise<Result>
    },
    args: Args,
  ) => kind.act(args, stepRun(await kind.observe(args)))

  before(async () => {
    const programs = await meshPrograms().catch(() => undefined)
    if (programs === undefined) return
    const ports = await freePorts(4)
    const rendered = renderConfiguration({
      ...{ domain: 'vpn.example.com', baseDomain: 'mesh.internal', subnet: '100.64.0.0/10' },
      ...{ magicDns: true, nameservers: ['9.9.9.9'] },
    })
    const text = [apiPort, 50_444, 50_443, relayPort].reduce(
      (config, port, index) => config.replace(`:${port}`, `:${ports[index]}`),
      rendered.replaceAll(dataDirectory, root + dataDirectory),
    )
    for (const path of [configurationPath, programPath, `${dataDirectory}/x`])
      mkdirSync(dirname(root + path), { recursive: true })
    writeFileSync(root + configurationPath, text)
    mkdirSync(`${root}/root`)
    copyFileSync(`${programs}/headscale`, root + programPath)
    server = spawn(root + programPath, ['-c', root + configurationPath, 'serve'], { stdio: 'ignore' })
    api = openApi(host, ports[0])
    const isUp = async () => (await api.isWell()) || undefined
    assert.ok(await poll(isUp, { limitMs: hangMs, everyMs: 50 }), 'headscale starts')
  })
  after(async () => {
    server?.kill()
    if (server) await once(server, 'exit')
    await host.close()
    rmSync(root, { recursive: true })
  })

  it('is asked with a key that its command line makes, and that it makes anew', async () => {
    await assert.rejects(listUsers(api), /no API key/)
    assert.match((await readVersion(host)) ?? '', /^\d+\.\d+\.\d+$/)
    const kind = makePanelKey(host)
    await act(kind, null)
    assert.deepEqual(await listUsers(api), [])
    const former = await readStoredKey(host)
    await act(kind, null)
    assert.notEqual((await readStoredKey(host))?.key, former?.key)
    const [first, second] = (await listApiKeys(api)).map(({ expiresAt }) => Date.parse(expiresAt ?? ''))
    assert.ok((first ?? Infinity) <= Date.now() && (second ?? 0) > Date.now(), 'the former key is expired')
  })

  it('makes and lists keys of the API, of which one more is deleted by its prefix', async () => {
    const kind = createApiKey(api)
    const former = await kind.observe({ expires_at: '' })
    const { key } = await act(kind, { expires_at: new Date(Date.now() + 3_600_000).toISOString() })
    assert.match(key, /^hskey-api-/)
    assert.ok((await listApiKeys(api)).some(({ prefix }) => key.startsWith(prefix.replace(/\*+$/, ''))))
    await kind.undo({ expires_at: '' }, former)
    assert.equal((await listApiKeys(api)).length, former.ids.length)
  })

  it('has users and the keys of their nodes', async () => {
    const { id } = await act(createUser(api), { name: 'ada' })
    assert.deepEqual(
      (await listUsers(api)).map(({ name }) => name),
      ['ada'],
    )
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const rest = { reusable: true, ephemeral: false, tags: [] }
    const made = await act(createPreAuthKey(api), { user_id: id, expires_at, ...rest })
    const [listed] = await listPreAuthKeys(api)
    assert.deepEqual([listed?.id, listed?.user?.name, listed?.isReusable], [made.id, 'ada', true])
    assert.equal(listed?.expiresAt, expires_at)
    assert.notEqual(listed?.key, made.key)
    const ending = expirePreAuthKey(api)
    await act(ending, { id: made.id })
    assert.equal(await ending.check({ id: made.id }, null), 'wanted')
    assert.deepEqual(await listNodes(api), [])
    const leaving = deleteUser(api)
    await act(leaving, { id, name: 'ada' })
    assert.equal(await leaving.check({ id, name: 'ada' }, null), 'wanted')
  })

  it('has no policy at first, refuses a wrong one, and takes one away again', async () => {
    assert.equal(await readPolicy(api), undefined)
    const rule = { action: 'accept', src: ['*'], dst: ['*:*'] }
    const policy = `${JSON.stringify({ acls: [rule] }, null, 2)}\n`
    await checkPolicy(api, policy)
    await assert.rejects(checkPolicy(api, JSON.stringify({ acls: [{ ...rule, action: 'deny' }] })), /deny/)
    const kind = setPolicy(api)
    await act(kind, { policy })
    assert.equal(await readPolicy(api), policy)
    await act(kind, { policy: null })
    assert.equal(await readPolicy(api), undefined)
  })
})
