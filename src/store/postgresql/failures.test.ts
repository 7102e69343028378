import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isAnswered, isLost, queryProblem } from './failures.ts'

const failed = (message: string, fields: object = {}) => Object.assign(new Error(message), fields)

describe('an error of a query', () => {
  it('is a lost connection where the socket or the driver tells of one, or the server ends the session', () => {
    const errors = [
      failed('Connection terminated unexpectedly'),
      failed('write EPIPE', { code: 'EPIPE', syscall: 'write' }),
      failed('read ECONNRESET', { code: 'ECONNRESET', syscall: 'read' }),
      failed('Client has encountered a connection error and is not queryable'),
      failed('terminating connection', { severity: 'FATAL', code: '57P01' }),
    ]
    assert.deepEqual(
      errors.map((error) => isLost(error)),
      errors.map(() => true),
    )
  })

  it('is none where a value cannot be sent, or the server refuses the query', () => {
    const errors = [
      new TypeError('Do not know how to serialize a BigInt'),
      failed('duplicate key', { severity: 'ERROR', code: '23505' }),
    ]
    assert.deepEqual(
      errors.map((error) => isLost(error)),
      [false, false],
    )
  })

  it('names the columns of a value that is taken in each language of the server', () => {
    const taken = { severity: 'ERROR', code: '23505', table: 'jars', constraint: 'jars_label_key' }
    const causeOf = (detail?: string) =>
      (queryProblem(failed('taken', { ...taken, detail })).cause as Error).message
    assert.deepEqual(
      ['Key (label, id)=(b, 1) already exists.', 'Schlüssel »(label)=(b)« existiert bereits.', undefined].map(
        causeOf,
      ),
      [
        'UNIQUE constraint failed: jars.label, jars.id',
        'UNIQUE constraint failed: jars.label',
        'UNIQUE constraint failed: jars.jars_label_key',
      ],
    )
  })

  it('is an answer of the server also where it refuses the login', () => {
    assert.deepEqual(
      [
        failed('password authentication failed', { severity: 'FATAL', code: '28P01' }),
        failed('connect ECONNREFUSED', { code: 'ECONNREFUSED' }),
      ].map(isAnswered),
      [true, false],
    )
  })
})
