import Type from 'typebox'
import { problem } from '../../core/problem.ts'

export const NeedsSuperuser = problem(
  'forbidden',
  403,
  'Only a superuser may change this part of the configuration',
)
export const NoSuchBackend = problem('not_found', 404, 'No such backend')
export const NoSuchCertificate = problem('not_found', 404, 'No such certificate')
export const AddressTaken = problem('conflict', 409, 'Another frontend listens on this address and port')
export const PortHeld = problem('conflict', 409, 'Another program listens on this port', {
  fields: Type.Object({
    port: Type.Integer({ description: 'The port' }),
    process: Type.Union([Type.String(), Type.Null()], { description: 'The program that listens on it' }),
    pid: Type.Union([Type.Integer(), Type.Null()], { description: 'Its process' }),
    free_port: Type.Union([Type.Integer(), Type.Null()], { description: 'A port that is free' }),
  }),
})
export const CertificateUsed = problem('conflict', 409, 'The configuration uses this certificate')
export const CertificateRefused = problem('bad_request', 400, 'The certificate cannot be used')
export const BackupMissing = problem('config_failed', 500, 'No such backup')
