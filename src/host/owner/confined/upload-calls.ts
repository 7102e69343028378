import type { ByteString } from './calls.ts'

/** The calls for uploads in parts; `name` is that of its file among the parts. */
export type UploadCall =
  | UploadOpen
  | UploadLook
  | UploadSize
  | UploadAppend
  | UploadSeal
  | UploadPlace
  | UploadCut

interface OfUpload {
  readonly op: 'upload'
  readonly name: string
}
export interface UploadOpen extends OfUpload {
  readonly verb: 'open'
  /** Its final size: it is not started if the disk has no space for it. */
  readonly size: number
}
/** Asks for the free space, and if it was started. */
export interface UploadLook extends OfUpload {
  readonly verb: 'look'
}
export interface UploadSize extends OfUpload {
  readonly verb: 'size'
}
export interface UploadAppend extends OfUpload {
  readonly verb: 'append'
  readonly offset: number
  readonly maxBytes: number
  /** SHA-256 of the bytes of this part, in hex. */
  readonly sha256?: string
}
export interface UploadSeal extends OfUpload {
  readonly verb: 'seal'
  readonly size: number
  /** SHA-256 of the whole upload, in hex. */
  readonly sha256?: string
}
export interface UploadPlace extends OfUpload {
  readonly verb: 'place'
  readonly path: ByteString
  readonly ifMatch?: string
  readonly ifAbsent: boolean
}
export interface UploadCut extends OfUpload {
  readonly verb: 'cut'
  /** Bytes that stay; with 0 the file is removed. */
  readonly size: number
}

/** The result of a part: `offset` means that the file's size differs from the caller's offset, `checksum` that the part was dropped. */
export interface Appended {
  readonly outcome: 'appended' | 'offset' | 'checksum'
  readonly size: number
}

/** The result of the final check. */
export interface Sealed {
  readonly outcome: 'sealed' | 'offset' | 'checksum'
  readonly size: number
  readonly etag: string
}
