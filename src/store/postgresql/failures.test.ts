import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  DatabaseInUse,
  isLost,
  isUnanswered,
  isWorthWaiting,
  mayBeWorking,
  queryProblem,
  ServerTakesNoWrites,
} from './failures.ts'

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

  it('of a commit leaves its answer missing, unless the server refuses the commit', () => {
    const errors = [
      failed('received invalid response: 58'),
      failed('Connection terminated unexpectedly'),
      failed('terminating connection', { severity: 'FATAL', code: '57P01' }),
      failed('duplicate key', { severity: 'ERROR', code: '23505' }),
    ]
    assert.deepEqual(errors.map(isUnanswered), [true, true, true, false])
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

  it('of a further connection leaves it possible that the server works, unless it starts or was not reached', () => {
    assert.deepEqual(
      [
        failed('password authentication failed', { severity: 'FATAL', code: '28P01' }),
        failed('too many connections', { severity: 'FATAL', code: '53300' }),
        failed('the database system is starting up', { severity: 'FATAL', code: '57P03' }),
        failed('server login failed', { severity: 'FATAL', code: '08P01' }),
        failed('connect ECONNREFUSED', { code: 'ECONNREFUSED' }),
        failed('no more connections allowed (max_client_conn)', { severity: 'FATAL', code: '08P01' }),
        failed('There was an error establishing an SSL connection'),
        failed('The server does not support SSL connections'),
      ].map(mayBeWorking),
      [true, true, false, false, false, true, true, false],
    )
  })
})

describe('a start', () => {
  const ofServer = (severity: string, code: string) => failed('refused', { severity, code })

  it('waits for a server that cannot be reached, starts, has no room, or takes no writes yet', () => {
    const errors = [
      failed('connect ECONNREFUSED', { code: 'ECONNREFUSED', syscall: 'connect' }),
      failed('connect ENOENT /run/.s.PGSQL.5432', { code: 'ENOENT', syscall: 'connect' }),
      failed('getaddrinfo EAI_AGAIN', { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }),
      failed('timeout expired'),
      new AggregateError([failed('connect ECONNREFUSED ::1'), failed('connect ECONNREFUSED 127.0.0.1')]),
      ofServer('FATAL', '57P03'),
      ofServer('FATAL', '53300'),
      ofServer('ERROR', '53100'),
      ofServer('ERROR', '25006'),
      ofServer('ERROR', '57014'),
      failed('There was an error establishing an SSL connection'),
      failed('certificate is not yet valid', { code: 'CERT_NOT_YET_VALID' }),
      new ServerTakesNoWrites(),
    ]
    assert.deepEqual(
      errors.filter((error) => !isWorthWaiting(error)),
      [],
    )
  })

  it('does not wait for what has to be corrected first', () => {
    const errors = [
      ofServer('FATAL', '28P01'),
      ofServer('FATAL', '3D000'),
      ofServer('FATAL', '42501'),
      ofServer('ERROR', '42501'),
      failed('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'),
      failed('The server does not support SSL connections'),
      failed('self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
      failed('Hostname/IP does not match', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }),
      failed('wrong version number', { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }),
      failed('ENOENT: no such file, open ca.pem', { code: 'ENOENT', syscall: 'open' }),
      failed('EACCES: permission denied, open ca.pem', { code: 'EACCES', syscall: 'open' }),
      new DatabaseInUse(),
    ]
    assert.deepEqual(errors.filter(isWorthWaiting), [])
  })
})
