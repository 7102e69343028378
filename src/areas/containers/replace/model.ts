import Type, { type Static } from 'typebox'
import { Id, OneOf, Optional, Time, TypedFileHostname, UnixName } from '../../../core/schemas.ts'
import { Backup, FullId, ImageName, Line, OpenedPorts } from '../model.ts'

export const UpgradeDraft = Type.Object({
  image: Optional(ImageName),
})
export type UpgradeDraft = Static<typeof UpgradeDraft>

/** What is told of each container that was upgraded. */
export const upgraded = {
  image: Line(500, 'Its image'),
  former_image: Line(500, 'The image that it had'),
  opened_ports: OpenedPorts,
  backup: Backup,
}
export const Upgraded = Type.Object({ id: FullId, ...upgraded })

export const PublishDraft = Type.Object({
  domain: TypedFileHostname,
  port: Optional(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      description: 'Port in the container; absent if it publishes one alone',
      expects: 'a port of the container from 1 to 65535',
    }),
  ),
  username: Optional(UnixName),
  certificate: OneOf(['acme', 'self_signed'], {
    default: 'acme',
    description: 'Issued by a certificate authority, or made here so that no browser trusts it',
  }),
})
export type PublishDraft = Static<typeof PublishDraft>

export const Published = Type.Object({
  website_id: Id,
  domain: Line(253, 'Domain under which it is served'),
  upstream: Line(200, 'Where the website forwards to'),
  id: FullId,
  certificate: Type.Object({
    names: Type.Array(Line(255, 'Host name'), { maxItems: 1000, description: 'Its names' }),
    issuer: Line(500, 'Who issued it'),
    not_after: Time,
  }),
})
