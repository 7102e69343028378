import Type, { type Static } from 'typebox'
import { Optional, Text } from '../../core/schemas.ts'

const Bytes = (description: string) => Type.Integer({ minimum: 0, description })

export const LvmStorage = Type.Object({
  installed: Type.Boolean({ description: 'Whether LVM is installed' }),
  reason: Text(500, { description: 'Why no volume can be extended; empty if one can' }),
  groups: Type.Array(
    Type.Object({
      name: Text(127),
      size_bytes: Bytes('Size of its disks'),
      free_bytes: Bytes('Space that no volume has'),
    }),
    { maxItems: 1000 },
  ),
  volumes: Type.Array(
    Type.Object({
      name: Text(127),
      group: Text(127, { description: 'The group that it takes its space from' }),
      path: Text(4096, { description: 'Its device' }),
      size_bytes: Bytes('Size'),
      mount: Text(4096, { description: 'Where its file system is mounted; empty if it is not' }),
      file_system: Text(50, { description: 'Empty if it is not mounted' }),
      is_root: Type.Boolean({ description: 'Whether it is the one that is extended by default' }),
    }),
    { maxItems: 10_000 },
  ),
})
export type LvmStorage = Static<typeof LvmStorage>

const name = '[A-Za-z0-9+_.][A-Za-z0-9+_.-]{0,126}'

export const Extension = Type.Object({
  size: Type.String({
    maxLength: 20,
    pattern: '^(?:100%FREE|\\+?[1-9][0-9]{0,8}[MGT])$',
    description: '100%FREE for all free space of the group, +5G for 5 GiB more, or 5G for the new size',
    expects: '100%FREE, or a size such as +5G or 5G in M, G or T',
  }),
  volume: Optional(
    Type.String({
      maxLength: 255,
      pattern: `^${name}/${name}$`,
      description: 'Group and name of the volume; that of the root file system where it is left out',
      expects: 'group/name such as vg0/root',
    }),
  ),
})
export type Extension = Static<typeof Extension>

export const Extended = Type.Object({ success: Type.Literal(true) })
