import Type, { type Static } from 'typebox'
import { Text } from '../../core/schemas.ts'

/**
 * Names of the host as the kernel takes them: at most 64 characters (gethostname(2)), labels as in RFC 1123. One whose
 * last label is a number is an address.
 */
const Name = Type.String({
  maxLength: 64,
  pattern:
    '^(?!-)(?!(?:.*\\.)?[0-9]+$)(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$',
  description: 'Name of the host',
  'x-typed': 'hostname',
  expects: 'a host name of letters, digits and - such as web1.example.com, of at most 64 characters',
})

export const ServerName = Type.Object({
  server_name: Text(255, { description: 'Name of the host, as the kernel has it' }),
  stored: Text(255, {
    description: 'Name in /etc/hostname, which it has after the next start; empty without that file',
  }),
})
export type ServerName = Static<typeof ServerName>

export const ServerNameDraft = Type.Object({ server_name: Name })
export type ServerNameDraft = Static<typeof ServerNameDraft>

export const ServerTimezone = Type.Object({
  timezone: Text(255, { description: 'Name in the zone database; UTC where the host has none set' }),
  offset: Text(10, { description: 'Offset from UTC now, such as +02:00' }),
})
export type ServerTimezone = Static<typeof ServerTimezone>

export const ServerTimezoneDraft = Type.Object({
  timezone: Type.String({
    maxLength: 100,
    pattern: '^[A-Za-z0-9][A-Za-z0-9_+-]*(?:/[A-Za-z0-9][A-Za-z0-9_+-]*){0,3}$',
    description: 'Name in the zone database',
    expects: 'the name of a time zone such as Europe/Berlin',
  }),
})
export type ServerTimezoneDraft = Static<typeof ServerTimezoneDraft>
