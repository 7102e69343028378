import Type, { type Static } from 'typebox'
import { OneOf, Text, Time } from '../../core/schemas.ts'

const Name = (description: string) => Text(200, { description })
const Version = (description: string) => Text(300, { description })

export const Update = Type.Object({
  package: Name('Name of the package, with its architecture if it is not that of the host'),
  current: Type.Union([Version('Installed version'), Type.Null()], {
    description: 'Installed version; null for a package that another update needs',
  }),
  candidate: Version('Newest version that the package lists offer'),
  source: Text(1000, { description: 'The archives that offer it, with commas between them' }),
  security: Type.Boolean({ description: 'Whether an archive of security updates offers it' }),
  held: Type.Boolean({
    description: 'Whether an administrator has put the package on hold: it is not updated',
  }),
  kept_back: Type.Boolean({
    description:
      'Whether it is not updated for another reason: packages would be removed for it, or its roll-out has not reached this host',
  }),
})
export type Update = Static<typeof Update>

export const Updates = Type.Object({
  updates: Type.Array(Update, { maxItems: 10_000, description: 'Security updates first, then by name' }),
  unfinished: Type.Array(Name('Name of the package'), {
    maxItems: 10_000,
    description: 'Packages that are unpacked but not set up, for example because their set-up failed',
  }),
  reboot_required: Type.Boolean({
    description: 'Whether updates take effect only after a restart of the host',
  }),
  reboot_packages: Type.Array(Name('Name of the package'), {
    maxItems: 1000,
    description: 'The packages that require it',
  }),
  lists_fetched_at: Type.Union([Time, Type.Null()], {
    description: 'When the package lists were fetched last; null if they never were',
  }),
})
export type Updates = Static<typeof Updates>

export const UpdateRequest = Type.Object({
  action: OneOf(['install', 'install_security', 'refresh'], {
    default: 'install',
    description:
      'Install all pending updates, or the security updates alone; or only fetch the package lists',
  }),
})
export type UpdateRequest = Static<typeof UpdateRequest>

export const Updated = Type.Object({
  packages: Type.Array(Name('Name of the package'), {
    maxItems: 10_000,
    description: 'The packages that were updated',
  }),
})
