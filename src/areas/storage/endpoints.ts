import { local } from '../../core/endpoint.ts'
import { data, flat } from '../../core/reply.ts'
import { ExtendFailed, ResizeFailed } from '../../tools/lvm/index.ts'
import { endpoint } from './context.ts'
import { Extended, Extension, LvmStorage } from './model.ts'
import { NoLvm, NoVolume, SizeInvalid } from './problems.ts'
import * as verbs from './volumes.ts'

export const readStorage = endpoint({
  method: 'GET',
  path: '',
  summary: 'List the groups and volumes of LVM, and the space that is free',
  effect: 'reads',
  reply: data(LvmStorage),
  run: ({ storage }) => verbs.readStorage(storage),
})

export const extendVolume = endpoint({
  method: 'POST',
  path: '/extend',
  summary: 'Extend a logical volume and its file system while they are in use',
  effect: 'changes',
  category: local('the disks of this host'),
  body: Extension,
  reply: flat(Extended),
  timeoutMs: 1_900_000,
  throws: {
    bad_request: SizeInvalid,
    no_lvm: NoLvm,
    no_lv: NoVolume,
    extend_failed: ExtendFailed,
    resize_failed: ResizeFailed,
  },
  run: ({ storage, body }) => verbs.extendVolume(storage, body),
})
