import assert from 'node:assert/strict'
import { createHash, randomFillSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { after as afterMs, killWhile } from './story/kill.ts'
import { PartsClient } from './story/parts.ts'
import { SignedIn } from './story/signed-in.ts'
import type { Answer, Owner } from './story/signed-in.ts'

const mebibyte = 1024 ** 2
const addresses = { panel: '192.0.2.10', files: '192.0.2.31' }
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const hidden = '.hostreeve-tmp-uploads'
const refusal = ({ status, code }: Answer) => [status, code]

describe('uploads in parts and downloads', () => {
  let host: Host
  let files: Host
  let panel: Panel
  let ada: Owner
  let parts: PartsClient
  const content = randomFillSync(Buffer.allocUnsafe(200 * mebibyte))
  const home = (...path: string[]) => join(host.rootPath, 'home/ada', ...path)
  const digestOnHost = async (path: string) =>
    (await host.must(['sha256sum', `/home/ada/${path}`])).stdout.slice(0, 64)
  const opened = async (
    name: string,
    sizeBytes: number,
    more: Readonly<Record<string, string>> = {},
  ): Promise<number> => {
    const answer = await parts.open(name, sizeBytes, more)
    assert.equal(answer.status, 201, answer.message)
    return answer.data.id
  }
  const hiddenSize = async () => {
    const names = await readdir(home(hidden)).catch(() => [])
    return names.length === 0 ? 0 : (await stat(home(hidden, names[0] ?? ''))).size
  }
  const untilHidden = (sizeBytes: number) =>
    poll(`${sizeBytes} bytes in the home`, 30_000, async () =>
      (await hiddenSize()) >= sizeBytes ? true : undefined,
    )

  before(async () => {
    ;[host, files] = await Promise.all([
      bootHost('up', { addresses: [`${addresses.panel}/24`] }),
      bootHost('files', { addresses: [`${addresses.files}/24`] }),
    ])
    panel = await startPanel(host)
    ada = await (await SignedIn.as(panel)).makeOwner('ada')
    parts = new PartsClient(ada)
  })
  after(async () => {
    for (const each of [host, files]) await each?.remove()
  })

  it('go on where the line was cut, in a file of 200 MB', async (t) => {
    const id = await opened('large.bin', content.length, { sha256: sha256(content) })
    const socket = await parts.begin(id, 0, content.subarray(0, 90 * mebibyte), { promised: content.length })
    await untilHidden(60 * mebibyte)
    socket.destroy()
    const { offset_bytes: offset } = await settled(id)
    assert.ok(offset >= 60 * mebibyte && offset <= 90 * mebibyte, String(offset))
    assert.equal((await stat(home(hidden, (await readdir(home(hidden)))[0] ?? ''))).size, offset)
    const startedAt = performance.now()
    const last = await parts.send(id, offset, content.subarray(offset))
    t.diagnostic(
      `cut at ${offset} bytes; the rest and the check of the whole took ${Math.round(performance.now() - startedAt)} ms`,
    )
    assert.deepEqual([last.status, last.data?.state], [200, 'done'], last.message)
    assert.equal(await digestOnHost('large.bin'), sha256(content))
    assert.match((await host.must(['stat', '-c', '%U:%G %a', '/home/ada/large.bin'])).stdout, /^ada:ada 644/)
    assert.equal(await hiddenSize(), 0)
  })

  it('tell after kill -9 in a part what is truly there, and go on from it', async () => {
    const whole = content.subarray(0, 80 * mebibyte)
    const id = await opened('killed.bin', whole.length, { sha256: sha256(whole) })
    const first = await parts.send(
      id,
      0,
      whole.subarray(0, 10 * mebibyte),
      sha256(whole.subarray(0, 10 * mebibyte)),
    )
    assert.equal(first.data?.offset_bytes, 10 * mebibyte, first.message)
    const socket = await parts.begin(id, 10 * mebibyte, whole.subarray(10 * mebibyte, 50 * mebibyte), {
      promised: 70 * mebibyte,
    })
    await untilHidden(30 * mebibyte)
    await panel.kill9()
    socket.destroy()
    await panel.start()
    const { offset_bytes: offset } = await parts.read(id)
    assert.ok(offset >= 30 * mebibyte && offset <= 50 * mebibyte, String(offset))
    assert.equal(await hiddenSize(), offset)
    assert.deepEqual(refusal(await parts.send(id, offset + 1, whole.subarray(0, 1))), [409, 'conflict'])
    assert.equal((await parts.send(id, offset, whole.subarray(offset))).data?.state, 'done')
    assert.equal(await digestOnHost('killed.bin'), sha256(whole))
  })

  it('have nothing after kill -9 of a part that has a checksum and was not whole', async () => {
    const whole = content.subarray(0, 40 * mebibyte)
    const id = await opened('checked.bin', whole.length)
    await parts.send(id, 0, whole.subarray(0, mebibyte))
    const rest = whole.subarray(mebibyte)
    const socket = await parts.begin(id, mebibyte, rest.subarray(0, 20 * mebibyte), {
      promised: rest.length,
      sha256: sha256(rest),
    })
    await untilHidden(10 * mebibyte)
    await panel.kill9()
    socket.destroy()
    await panel.start()
    assert.equal((await parts.read(id)).offset_bytes, mebibyte)
    assert.equal((await parts.send(id, mebibyte, rest, sha256(rest))).data?.state, 'done')
    assert.equal(await digestOnHost('checked.bin'), sha256(whole))
  })

  it('are whole or open after kill -9 while the file takes its place, whenever that is', async (t) => {
    const whole = content.subarray(0, 4 * mebibyte)
    const came = { open: 0, done: 0 }
    const appears = (name: string) => () => existsSync(home(name)) // has its place, and the panel has not said so
    const moments = [() => afterMs(0), () => afterMs(30), () => afterMs(90), appears, appears, appears]
    for (const [round, moment] of moments.entries()) {
      const name = `placed-${round}.bin`
      const id = await opened(name, whole.length, { sha256: sha256(whole) })
      await parts.send(id, 0, whole.subarray(0, whole.length - 1))
      await killWhile(panel, () => parts.send(id, whole.length - 1, whole.subarray(-1)), moment(name))
      const { state, offset_bytes: offset } = await parts.read(id)
      const isThere = (await host.exec(['test', '-e', `/home/ada/${name}`])).code === 0
      assert.equal(isThere, state === 'done', `round ${round}`)
      came[isThere ? 'done' : 'open']++
      if (!isThere) assert.equal((await parts.send(id, offset, whole.subarray(offset))).data?.state, 'done')
      assert.equal(await digestOnHost(name), sha256(whole))
    }
    t.diagnostic(JSON.stringify(came))
    assert.equal(await hiddenSize(), 0)
  })

  it('download a file from another host, for its owner', async () => {
    await writeFile(join(files.rootPath, 'var/www/html/big.bin'), content.subarray(0, 50 * mebibyte))
    await writeFile(join(files.rootPath, 'etc/nginx/conf.d/slow.conf'), slowServer)
    await files.must(['systemctl', 'start', 'nginx'])
    const url = `http://${addresses.files}/big.bin?token=secret`
    const found = await ada.signedIn.must('POST', '/api/filemanager/download-url', {
      username: 'ada',
      path: '.',
      url,
    })
    assert.deepEqual(found, { file: 'big.bin', size_bytes: 50 * mebibyte })
    assert.equal(await digestOnHost('big.bin'), sha256(content.subarray(0, 50 * mebibyte)))
    assert.match((await host.must(['stat', '-c', '%U:%G', '/home/ada/big.bin'])).stdout, /^ada:ada/)
    assert.ok(!(await panel.log()).includes('token=secret'))
    for (const target of [
      `http://${addresses.panel}:7070/healthz`,
      'http://127.0.0.1:7070/healthz',
      'http://localhost:7070/healthz',
      'http://[::1]:7070/',
    ])
      assert.deepEqual(
        refusal(
          await ada.signedIn.ask('POST', '/api/filemanager/download-url', { username: 'ada', url: target }),
        ),
        [400, 'bad_request'],
        target,
      )
  })

  it('go on with a download in the background after kill -9, where it was', async () => {
    const url = `http://${addresses.files}:8080/big.bin`
    const { job_id: job } = await ada.signedIn.must('POST', '/api/filemanager/wget-upload', {
      username: 'ada',
      path: '',
      url,
    })
    await untilHidden(8 * mebibyte)
    await panel.kill9()
    await panel.start()
    const events = await ada.signedIn.followJob(job)
    assert.equal(events.at(-1)?.['state'], 'succeeded', JSON.stringify(events.slice(-3)))
    const { result } = await ada.signedIn.must('GET', `/api/jobs/${job}`)
    assert.deepEqual(result, { file: 'big (1).bin', size_bytes: 50 * mebibyte })
    assert.equal(await digestOnHost('big (1).bin'), sha256(content.subarray(0, 50 * mebibyte)))
    assert.match(
      await readFile(join(files.rootPath, 'var/log/nginx/access.log'), 'utf8'),
      /GET \/big\.bin HTTP\/1\.1" 206 /,
    )
    assert.equal(await hiddenSize(), 0)
  })

  it('leave nothing of a download that a request waited for, after kill -9', async () => {
    const body = { username: 'ada', path: '', url: `http://${addresses.files}:8080/big.bin` }
    const hasBegun = () => existsSync(home(hidden))
    assert.equal(
      await killWhile(panel, () => ada.signedIn.ask('POST', '/api/filemanager/download-url', body), hasBegun),
      false,
    )
    assert.deepEqual([await hiddenSize(), existsSync(home('big (2).bin'))], [0, false])
  })

  it('say that the disk is full under the code of each, and leave nothing', async () => {
    await host.must([
      'sh',
      '-c',
      'mount -t tmpfs -o size=24m,mode=755,uid=$(id -u ada),gid=$(id -g ada) tmpfs /home/ada',
    ])
    const tooLarge = await parts.open('x.bin', 25 * mebibyte)
    assert.deepEqual(refusal(tooLarge), [507, 'insufficient_storage'])
    assert.match(tooLarge.message, /the disk that holds the home has room for \d+ bytes, not for 26214400/)
    const id = await opened('x.bin', 20 * mebibyte)
    await parts.send(id, 0, content.subarray(0, 2 * mebibyte))
    await host.must(['dd', 'if=/dev/zero', 'of=/home/ada/fill', 'bs=1M', 'count=10'])
    const full = await parts.send(id, 2 * mebibyte, content.subarray(2 * mebibyte, 20 * mebibyte))
    assert.deepEqual(refusal(full), [507, 'insufficient_storage'])
    assert.match(full.message, /the disk that holds the home is full/)
    assert.equal((await parts.read(id)).offset_bytes, 0)
    const big = { username: 'ada', path: '', url: `http://${addresses.files}/big.bin` }
    const download = await ada.signedIn.ask('POST', '/api/filemanager/download-url', big)
    assert.deepEqual(refusal(download), [500, 'download_failed'])
    assert.match(download.message, /the disk that holds the home is full/)
    const events = await ada.signedIn.followJob(
      (await ada.signedIn.must('POST', '/api/filemanager/wget-upload', big)).job_id,
    )
    assert.deepEqual(
      [events.at(-1)?.['state'], /is full/.test(String(events.at(-1)?.['message']))],
      ['failed', true],
    )
    assert.equal((await host.must(['ls', '-A', '/home/ada'])).stdout, 'fill\n')
    await host.must(['rm', '/home/ada/fill'])
    assert.equal((await parts.send(id, 0, content.subarray(0, 20 * mebibyte))).data?.state, 'done')
    assert.equal(await digestOnHost('x.bin'), sha256(content.subarray(0, 20 * mebibyte)))
  })

  /** The offset once the panel has noticed that the connection is lost. */
  async function settled(id: number) {
    let last = -1
    return poll('the offset to stand still', 20_000, async () => {
      const found = await parts.read(id)
      const isSame = found.offset_bytes === last
      last = found.offset_bytes
      return isSame ? found : undefined
    })
  }
})

const slowServer = `server {
  listen 8080;
  root /var/www/html;
  limit_rate 10m;
}
`
