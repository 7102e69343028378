import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeAnswer, encodeQuestion } from './ask.ts'

const server = { address: '127.0.0.1', port: 53 }

describe('a DNS question', () => {
  it('contains the address of the client', () => {
    const v4 = encodeQuestion(1, { server, name: 'www.example.com', type: 'A', client: '192.0.2.7' })
    assert.equal(v4.subarray(-12).toString('hex'), '0008000800012000c0000207')
    const v6 = encodeQuestion(1, { server, name: 'www.example.com.', type: 'AAAA', client: '2001:db8::7' })
    assert.equal(v6.subarray(-16).toString('hex'), '20010db8000000000000000000000007')
    assert.equal(v6.subarray(12, 29).toString('latin1'), '\x03www\x07example\x03com\0')
  })
})

describe('a DNS answer', () => {
  const head = Buffer.from('00018400000100010000000003777777076578616d706c6503636f6d0000010001', 'hex')

  it('is decoded with its addresses and its time to live', () => {
    const message = Buffer.concat([head, Buffer.from('c00c000100010000003c0004c0000207', 'hex')])
    const answer = { code: 0, values: ['192.0.2.7'], ttl: 60, zone: null }
    assert.deepEqual(decodeAnswer(message, 'A'), { ...answer, isAuthoritative: true })
    message[2] = 0x80
    assert.deepEqual(decodeAnswer(message, 'A'), { ...answer, isAuthoritative: false })
  })

  it('tells the zone that has no such records', () => {
    const authority = 'c01000060001000000 3c 0015 026e73c010 05 61646d696ec010 0000000100000002'.replaceAll(
      ' ',
      '',
    )
    const message = Buffer.concat([head, Buffer.from(authority, 'hex')])
    message.writeUInt16BE(0, 6)
    message.writeUInt16BE(1, 8)
    const answer = { code: 0, values: [], ttl: null, zone: 'example.com' }
    assert.deepEqual(decodeAnswer(message, 'A'), { ...answer, isAuthoritative: true })
    const itself = Buffer.concat([message.subarray(0, 33), Buffer.from('c021', 'hex'), message.subarray(35)])
    assert.throws(() => decodeAnswer(itself, 'A'), /refers to itself/)
  })

  it('is refused where it ends early', () => {
    const message = Buffer.concat([head, Buffer.from('c00c000100010000003c0004c000', 'hex')])
    assert.throws(() => decodeAnswer(message, 'A'), RangeError)
  })

  it('is refused where records did not fit into it', () => {
    const message = Buffer.concat([head, Buffer.from('c00c000100010000003c0004c0000207', 'hex')])
    message[2] = 0x86
    assert.throws(() => decodeAnswer(message, 'A'), RangeError)
  })
})
