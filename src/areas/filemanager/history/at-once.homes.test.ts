import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { type FilesBench, openFilesBench } from '../testing/files-bench.ts'
import { until } from '../../../../test/support/until.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: works under other uids'

describe('the history of a file with concurrent replacements', { skip }, () => {
  let bench: FilesBench
  before(async () => {
    bench = await openFilesBench()
  })
  after(() => bench.remove())
  const write = (path: string, content: string) => bench.post('write', { path, content })
  const contents = async (path: string): Promise<readonly string[]> => {
    const { items } = (await bench.get('history', { path })).data
    const read = items.map(
      async ({ id }: { id: number }) => (await bench.get('history/content', { id: String(id) })).data.content,
    )
    return (await Promise.all(read)).toReversed()
  }
  const begin = (name: string) => {
    const body = new Readable({ read() {} })
    const url = `/api/filemanager/upload?username=alice&name=${name}`
    const headers = {
      authorization: `Bearer ${bench.alice.token}`,
      'content-type': 'application/octet-stream',
    }
    return {
      body,
      answered: bench.panel.app
        .inject({ method: 'POST', url, headers, payload: body })
        .then(({ statusCode }) => statusCode),
    }
  }

  it('has the content written during an upload to the same path', async () => {
    await write('a.txt', 'one')
    const { body, answered } = begin('a.txt')
    body.push('thr')
    await until(() => readdirSync(bench.at()).some((name) => name.startsWith('.hostreeve-tmp-')))
    await write('a.txt', 'two')
    body.push('ee')
    body.push(null)
    assert.deepEqual([await answered, readFileSync(bench.at('a.txt'), 'utf8')], [201, 'three'])
    assert.deepEqual(await contents('a.txt'), ['one', 'two'])
  })

  it('has every content except the last if ten uploads and ten writes end at the same time', async () => {
    await write('b.txt', 'first')
    const uploads = Array.from({ length: 10 }, () => begin('b.txt'))
    const answers = uploads.map(({ body, answered }, at) => {
      body.push(`upload ${at}`)
      body.push(null)
      return answered
    })
    const writes = Array.from({ length: 10 }, async (_, at) => (await write('b.txt', `write ${at}`)).status)
    assert.deepEqual(await Promise.all([...answers, ...writes]), [
      ...Array(10).fill(201),
      ...Array(10).fill(200),
    ])
    const all = ['first', ...uploads.map((_, at) => `upload ${at}`), ...writes.map((_, at) => `write ${at}`)]
    assert.deepEqual(
      [...(await contents('b.txt')), readFileSync(bench.at('b.txt'), 'utf8')].toSorted(),
      all.toSorted(),
    )
  })

  it('has no version of an interrupted upload, and does not block the next one', async () => {
    await write('c.txt', 'one')
    const { body, answered } = begin('c.txt')
    body.push('tw')
    await until(() => readdirSync(bench.at()).some((name) => name.startsWith('.hostreeve-tmp-')))
    body.destroy(new Error('the connection broke'))
    await answered.catch(() => {})
    await until(() => !readdirSync(bench.at()).some((name) => name.startsWith('.hostreeve-tmp-')))
    assert.deepEqual(await contents('c.txt'), [])
    await write('c.txt', 'two')
    assert.deepEqual(await contents('c.txt'), ['one'])
  })
})
