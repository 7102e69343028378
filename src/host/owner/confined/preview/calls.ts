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

/** Asks what another call would do, without doing it: it fails as that would, as far as a moment tells. */
export interface PreviewCall {
  readonly op: 'preview'
  readonly of: Previewable
}

/** The calls that can be previewed; of `dirsize`, what it counts in a moment. */
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

/** How much a call would reach: what it names, and everything below that. */
export interface Counted {
  readonly entries: number
  readonly bytes: number
  /** Whether there is more than could be counted in a moment, or may be looked at. */
  readonly isCut: boolean
}

/** What a call would do. */
export interface Previewed extends Counted {
  /** Where something comes to stand, the first of many. */
  readonly paths: readonly ByteString[]
  /** What stands there, and goes. */
  readonly replaced?: { readonly type: EntryRow['type']; readonly size: number }
}
