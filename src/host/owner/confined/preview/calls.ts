import type {
  ByteString,
  ChmodCall,
  CompressCall,
  CopyCall,
  DirsizeCall,
  EmptyCall,
  EntryRow,
  MkdirCall,
  MoveCall,
  RemoveCall,
  RestoreCall,
  WriteCall,
} from '../calls.ts'
import type { UploadOpen, UploadPlace } from '../upload-calls.ts'

/** Asks for the effect of another call without doing it: it fails as that would, as far as a short check can tell. */
export interface PreviewCall {
  readonly op: 'preview'
  readonly of: Previewable
}

/** The calls that can be previewed; for `dirsize`, the amount that can be counted in a short time. */
export type Previewable =
  | WriteCall
  | MkdirCall
  | RemoveCall
  | MoveCall
  | CopyCall
  | ChmodCall
  | DirsizeCall
  | RestoreCall
  | EmptyCall
  | CompressCall
  | UploadOpen
  | UploadPlace

/** The extent of a call: the paths that it names, and everything below them. */
export interface Counted {
  readonly entries: number
  readonly bytes: number
  /** True if not everything could be counted in time, or read. */
  readonly isCut: boolean
}

/** The effect of a call. */
export interface Previewed extends Counted {
  /** The destinations, the first of many. */
  readonly paths: readonly ByteString[]
  /** The existing entries that are removed or replaced. */
  readonly replaced?: { readonly type: EntryRow['type']; readonly size: number }
}
