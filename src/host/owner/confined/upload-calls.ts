import type { ByteString } from './calls.ts'

/** What the panel may ask for of an upload in parts; `name` is that of its file among the parts. */
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
  /** How many bytes it will have: it is not begun where the disk has no room for them. */
  readonly size: number
}
/** Asks how much room there is, and whether it was begun. */
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
  /** Of the bytes of this part, in hex. */
  readonly sha256?: string
}
export interface UploadSeal extends OfUpload {
  readonly verb: 'seal'
  readonly size: number
  /** Of the whole, in hex. */
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
  /** Bytes that stay; with none the file goes. */
  readonly size: number
}

/** What came of a part: `offset` means that the file has another size than the caller thought, `checksum` that the part was dropped. */
export interface Appended {
  readonly outcome: 'appended' | 'offset' | 'checksum'
  readonly size: number
}

/** What came of the check of the whole. */
export interface Sealed {
  readonly outcome: 'sealed' | 'offset' | 'checksum'
  readonly size: number
  readonly etag: string
}
