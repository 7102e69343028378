import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { createApiKey, createPreAuthKey, expirePreAuthKey } from './keys.ts'
import { listApiKeys, listNodes, listPreAuthKeys, listUsers } from './objects.ts'
import { makePanelKey } from './panel-key.ts'
import { checkPolicy, readPolicy, setPolicy } from './policy.ts'
import { readVersion } from './program.ts'
import { readStoredKey } from './stored-key.ts'
import { type ScratchHeadscale, startHeadscale } from './testing/scratch.ts'
import { createUser, deleteUser } from './users.ts'

describe('the API of a control server that really runs', () => {
  let scratch: ScratchHeadscale | undefined
  const it = (title: string, run: (on: ScratchHeadscale) => Promise<void>) =>
    test(title, async (t) => (scratch === undefined ? t.skip('headscale is not built') : run(scratch)))
  const act = async <Args, Before, Result>(
    kind: {
      observe: (args: Args) => Promise<Before>
      act: (args: Args, run: ReturnType<typeof stepRun<Before>>) => Promise<Result>
    },
    args: Args,
  ) => kind.act(args, stepRun(await kind.observe(args)))

  before(async () => void (scratch = await startHeadscale()))
  after(() => scratch?.stop())

  it('is asked with a key that its command line makes, and that it makes anew', async ({ host, api }) => {
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

  it('makes and lists keys of the API, of which one more is deleted by its prefix', async ({ api }) => {
    const kind = createApiKey(api)
    const former = await kind.observe({ expires_at: '' })
    const { key } = await act(kind, { expires_at: new Date(Date.now() + 3_600_000).toISOString() })
    assert.match(key, /^hskey-api-/)
    assert.ok((await listApiKeys(api)).some(({ prefix }) => key.startsWith(prefix.replace(/\*+$/, ''))))
    await kind.undo({ expires_at: '' }, former)
    assert.equal((await listApiKeys(api)).length, former.ids.length)
  })

  it('has users and the keys of their nodes', async ({ api }) => {
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

  it('has no policy at first, refuses a wrong one, and takes one away again', async ({ api }) => {
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
