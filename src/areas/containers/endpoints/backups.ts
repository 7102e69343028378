import { failures, local } from '../../../core/endpoint.ts'
import { awaited, data } from '../../../core/reply.ts'
import * as backups from '../backups.ts'
import { endpoint } from '../context.ts'
import { cloning, draftClone } from '../copies.ts'
import * as model from '../model.ts'
import { BackupMissing, ContainerMissing, DraftInvalid, EngineFailed } from '../problems.ts'

const ofThisHost = local('each host has its own containers')
const failing = { container_error: EngineFailed }
const invalid = { bad_request: DraftInvalid }

export const backUpContainer = endpoint({
  method: 'POST',
  path: '/containers/{id}/backup',
  summary: 'Back up a container: an image of its files and an archive of each volume',
  description:
    'A running container is paused meanwhile. Folders of the host are no part of the backup. The image contains the environment of the container.',
  effect: 'changes',
  category: ofThisHost,
  params: model.ContainerPath,
  reply: awaited(backups.backingUp, { status: 200, shape: 'data' }),
  throws: failures({ not_found: ContainerMissing }, failing),
  run: ({ containers, params, now }) => backups.draftBackup(containers, params.id, now),
})

export const cloneContainer = endpoint({
  method: 'POST',
  path: '/containers/{id}/clone',
  summary: 'Create a container with the settings of another and a copy of its volumes',
  description:
    'Folders of the host are shared. Without `ports` it publishes none. It runs if the other does.',
  effect: 'changes',
  category: ofThisHost,
  params: model.ContainerPath,
  body: model.CloneDraft,
  reply: awaited(cloning, { status: 200, shape: 'data' }),
  throws: failures(invalid, { not_found: ContainerMissing }, failing),
  run: ({ containers, params, body }) => draftClone(containers, params.id, body),
})

export const listContainerBackups = endpoint({
  method: 'GET',
  path: '/backups',
  summary: 'List the images and volume archives of backups of containers',
  effect: 'reads',
  reply: data(model.BackupList),
  run: ({ containers }) => backups.listBackups(containers),
})

export const restoreContainer = endpoint({
  method: 'POST',
  path: '/backups/restore',
  summary: 'Create a container of a backup, with volumes of its own, and start it',
  description: 'Without `ports` it publishes those of the container that was backed up.',
  effect: 'changes',
  category: ofThisHost,
  body: model.RestoreDraft,
  reply: awaited(backups.restoring, { status: 200, shape: 'data' }),
  throws: failures(invalid, { not_found: BackupMissing }, failing),
  run: ({ body }) => backups.draftRestore(body),
})
