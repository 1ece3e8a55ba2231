// Package store keeps the daemon's state in one bbolt file and is the only
// package that knows bbolt.
//
// The file is <data dir>/crux.db. Its buckets:
//
//	meta       "schema" -> decimal schema version, written when the file is made
//	facts      sequence number (8 bytes, big endian) -> one fact as JSON.
//	           A record is rewritten in place when the fact is superseded or
//	           deleted; none is ever removed, since fact_history shows them all.
//	segments   sequence number (8 bytes, big endian) -> one ingested segment as
//	           JSON. Written once, never changed.
//	payloads   BLAKE3 of an ingest payload (32 bytes) -> sequence number of the
//	           segment that it became (8 bytes, big endian)
//
// Keys grow with every write, so that a commit touches the rightmost page of a
// bucket and little else. Everything that reads want by another key (fact id,
// entity, chain of versions) is an index in memory, built when the file is
// opened: facts are small, a look-up by entity is a map access, and an index on
// disk would dirty a random page for each write of a group.
//
// A write is acknowledged after the commit that carries it has reached the
// disk. Writes that arrive together share one commit (see Update).
package store
