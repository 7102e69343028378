import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseCounters, parseDisks, parseNetworks } from './counters.ts'

const disk = (name: string) => ` 259 0 ${name} 100 0 8 5 20 0 16 5 0 5 5 0 0 0 0 0 0`

describe('the counters of the kernel', () => {
  it('count each disk once: no partitions, and nothing that is on other disks', () => {
    const names = [
      'sda',
      'sda1',
      'vdb',
      'nvme0n1',
      'nvme0n1p2',
      'mmcblk0',
      'mmcblk0p1',
      'dm-0',
      'md127',
      'loop3',
      'zram0',
    ]
    const disks = parseDisks(`${names.map(disk).join('\n')}\n`)
    assert.deepEqual([...disks.keys()], ['sda', 'vdb', 'nvme0n1', 'mmcblk0'])
    assert.deepEqual(disks.get('sda'), { in: 4096, out: 8192 })
  })

  it('count a partition whose disk the kernel does not list, as on some virtual machines', () =>
    assert.deepEqual([...parseDisks(disk('xvda1')).keys()], ['xvda1']))

  it('count the interfaces that carry traffic of the host', () => {
    const names = ['lo', 'eth0', 'enp3s0', 'eth0.100', 'veth1a2b', 'docker0', 'br-12ab', 'wg0', 'bond0']
    const text = names.map((name) => `${name}:  7 1 0 0 0 0 0 0 9 1 0 0 0 0 0 0`).join('\n')
    const networks = parseNetworks(`Inter-| Receive\n face |bytes packets\n${text}\n`)
    assert.deepEqual([...networks.keys()], ['eth0', 'enp3s0'])
    assert.deepEqual(networks.get('eth0'), { in: 7, out: 9 })
  })

  it('count waiting for a disk as idle, and guests once', () => {
    const counters = parseCounters(['cpu  10 20 30 400 50 6 7 8 9 10\n', 'MemTotal: 8 kB\n'], 0)
    assert.deepEqual(counters.cpu, { busy: 81, total: 531 })
  })

  it('cannot be read without those of processors and memory', () => {
    assert.throws(() => parseCounters(['', 'MemTotal: 8 kB\n'], 0), /\/proc\/stat/)
    assert.throws(() => parseCounters(['cpu 1 2 3 4 5 6 7 8\n', ''], 0), /\/proc\/meminfo/)
  })
})
