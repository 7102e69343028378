// The inputs of long work: with what was found and drawn for the request.
import Type from 'typebox'
import { Id, OneOf } from '../../core/schemas.ts'
import { ContainerDraft, ContainerName, FullId, ImageName, Line, PortTexts, RestoreDraft } from './model.ts'
import { PublishDraft } from './replace/model.ts'
import { containerVerbs } from './verbs.ts'

const Token = Line(100, 'Names the change at the engine')

/** The input of the work: with what was drawn for the request. */
export const CreateInput = Type.Object({
  draft: ContainerDraft,
  name: ContainerName,
  token: Token,
})

export const SwitchInput = Type.Object({
  id: FullId,
  name: ContainerName,
  verb: OneOf(containerVerbs, { description: 'What is done' }),
})

export const RemovalInput = Type.Object({
  id: FullId,
  name: ContainerName,
  is_forced: Type.Boolean({ description: 'Removes it also while it runs' }),
})

export const EditInput = Type.Object({
  id: FullId,
  former: ContainerName,
  name: ContainerName,
  draft: ContainerDraft,
  token: Token,
})

export const CloneInput = Type.Object({
  id: FullId,
  former: ContainerName,
  name: ContainerName,
  ports: PortTexts,
  token: Token,
})

export const BackupInput = Type.Object({
  id: FullId,
  name: ContainerName,
  stamp: Line(40, 'Time of the backup'),
})

export const RestoreInput = Type.Object({ ...RestoreDraft.properties, token: Token })

export const UpgradeInput = Type.Object({
  id: FullId,
  name: ContainerName,
  image: ImageName,
  stamp: Line(40, 'Time of the backup'),
  token: Token,
})

export const PublishInput = Type.Object({
  id: FullId,
  name: ContainerName,
  website_id: Id,
  ...PublishDraft.properties,
  token: Token,
})
