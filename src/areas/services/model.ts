import Type, { type Static } from 'typebox'
import { logPriorities, logSources } from '../../core/log-line.ts'
import { OneOf, Text, Time } from '../../core/schemas.ts'

const Nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(
  schema: Schema,
  description: string,
) => Type.Union([schema, Type.Null()], { description })

export const Service = Type.Object({
  name: Text(255, { description: 'Name of the unit without .service, or of the init script' }),
  description: Text(1000),
  active: Type.Boolean({ description: 'Whether it runs' }),
  enabled: Type.Boolean({ description: 'Whether it starts with the host' }),
  state: Text(100, { description: 'State, as the service manager names it' }),
  memory_bytes: Nullable(Type.Integer({ minimum: 0 }), 'Memory of its processes; null if it is unknown'),
  started_at: Nullable(Time, 'When it was started; null while it does not run'),
  is_panel: Type.Boolean({ description: 'Whether the panel runs in it: it cannot be stopped here' }),
  driven_by: Nullable(
    Type.Object({ title: Text(100), path: Text(100, { description: 'Page of the area' }) }),
    'The area of the panel that drives it',
  ),
})
export type Service = Static<typeof Service>

export const ServicePath = Type.Object({
  name: Type.String({
    maxLength: 255,
    pattern: '^[A-Za-z0-9_][A-Za-z0-9_.@:\\\\-]*$',
    description: 'Name of the service',
    expects: 'the name of a service such as nginx or getty@tty1',
  }),
})

export const LogQuery = Type.Object({
  lines: Type.Integer({
    minimum: 0,
    maximum: 5000,
    default: 200,
    description: 'How many of the last lines are sent first; with search, how many are searched',
    expects: 'a number of lines from 0 to 5000',
  }),
  follow: Type.Boolean({ default: true, description: 'Whether the lines to come are sent too' }),
  search: Type.Optional(
    Text(200, { minLength: 1, description: 'Only lines with this text, in upper or lower case' }),
  ),
  priority: Type.Optional(
    OneOf(logPriorities, { description: 'Only lines of this severity or above; of a journal only' }),
  ),
  since: Type.Optional(
    Type.String({
      format: 'date-time',
      maxLength: 35,
      description: 'Only lines from this time on; of a journal only',
      expects: 'a time such as 2026-01-31T12:00:00Z',
    }),
  ),
  source: Type.Optional(
    OneOf(logSources, {
      description: 'The journal, or a file in /var/log; the journal by default, where systemd runs',
    }),
  ),
})
export type LogQuery = Static<typeof LogQuery>

export const ServiceLogLine = Type.Object({
  type: OneOf(['line', 'error'], { description: 'An error ends the stream' }),
  time: Type.Optional(Nullable(Time, 'When it was logged; null in a file, whose lines contain it')),
  priority: Type.Optional(Nullable(OneOf(logPriorities), 'Severity')),
  pid: Type.Optional(Nullable(Type.Integer({ minimum: 1 }), 'Process that logged it')),
  message: Type.String({ maxLength: 70_000 }),
})
export type ServiceLogLine = Static<typeof ServiceLogLine>
