package store_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"go.etcd.io/bbolt"

	"cruxconform/reference/store"
)

var _ = Describe("Open", func() {
	var dir, path string
	BeforeEach(func() {
		dir = GinkgoT().TempDir()
		path = filepath.Join(dir, store.FileName)
	})

	It("makes the directory and the file", func() {
		deep := filepath.Join(dir, "not", "there", "yet")
		closed(opened(deep))
		Expect(filepath.Join(deep, store.FileName)).To(BeARegularFile())
	})

	It("leaves nothing but the file behind", func() {
		leftover := filepath.Join(dir, store.FileName+".new-123")
		Expect(os.WriteFile(leftover, []byte("a start that was killed"), 0o600)).To(Succeed())
		closed(opened(dir))
		names, err := filepath.Glob(filepath.Join(dir, "*"))
		Expect(err).NotTo(HaveOccurred())
		Expect(names).To(Equal([]string{path}))
	})

	It("refuses a directory that another daemon holds, and names it", func() {
		opened(dir)
		_, err := store.Open(dir)
		Expect(err).To(MatchError(store.ErrLocked))
		Expect(err).To(MatchError(And(ContainSubstring(path), ContainSubstring("another data directory"))))
	})

	It("opens again once the other daemon has closed", func() {
		closed(opened(dir))
		opened(dir)
	})

	It("refuses a directory that cannot be made, and names it", func() {
		file := filepath.Join(dir, "file")
		Expect(os.WriteFile(file, nil, 0o600)).To(Succeed())
		_, err := store.Open(filepath.Join(file, "data"))
		Expect(err).To(MatchError(store.ErrNotWritable))
		Expect(err).To(MatchError(And(ContainSubstring(file), ContainSubstring("permissions"))))
	})

	It("refuses a directory without write permission, and names it", func() {
		if os.Geteuid() == 0 {
			Skip("permissions do not bind root")
		}
		Expect(os.Chmod(dir, 0o500)).To(Succeed())
		DeferCleanup(os.Chmod, dir, os.FileMode(0o700))
		_, err := store.Open(dir)
		Expect(err).To(MatchError(store.ErrNotWritable))
		Expect(err).To(MatchError(ContainSubstring(dir)))
	})

	It("refuses a schema version that it does not know", func() {
		closed(opened(dir))
		edit(path, func(tx *bbolt.Tx) error {
			return tx.Bucket([]byte("meta")).Put([]byte("schema"), []byte("2"))
		})
		_, err := store.Open(dir)
		Expect(err).To(MatchError(store.ErrSchema))
		Expect(err).To(MatchError(And(ContainSubstring(path), ContainSubstring(`"2"`), ContainSubstring("start the build that wrote it"))))
	})

	It("refuses a second Close", func() {
		st := opened(dir)
		closed(st)
		Expect(st.Close()).To(MatchError(store.ErrClosed))
	})

	// A damaged file is refused with its path and stays as it is, byte for byte.
	DescribeTable("refuses damage", func(damage func(whole []byte) []byte) {
		st := opened(dir)
		fill(st, 300)
		closed(st)
		whole, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		damaged := damage(bytes.Clone(whole))
		Expect(damaged).NotTo(Equal(whole))
		Expect(os.WriteFile(path, damaged, 0o600)).To(Succeed())

		_, err = store.Open(dir)
		Expect(err).To(MatchError(store.ErrCorrupt))
		Expect(err).To(MatchError(And(ContainSubstring(path), ContainSubstring("backup"))))
		after, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(bytes.Equal(after, damaged)).To(BeTrueBecause("the file must not be touched"))

		// Refusing must let go of the lock as well: the same answer comes again.
		_, err = store.Open(dir)
		Expect(err).To(MatchError(store.ErrCorrupt))
	},
		Entry("an empty file", cutTo(0)),
		Entry("one byte", cutTo(1)),
		Entry("a page", cutTo(4096)),
		Entry("the head pages alone", cutTo(2*4096)),
		Entry("a file cut in mid-page", cutTo(5*4096+100)),
		Entry("a file cut to 40 KiB", cutTo(40<<10)),
		Entry("text", func([]byte) []byte { return []byte("this is no database\n") }),
		Entry("short noise", func([]byte) []byte { return noise(1000) }),
		Entry("long noise", func([]byte) []byte { return noise(256 << 10) }),
		Entry("noise in both head pages", over(0, 2*4096)),
		Entry("noise behind the head pages", over(2*4096, 1<<20)),
		Entry("zeros behind the head pages", func(b []byte) []byte { clear(b[2*4096:]); return b }),
	)

	It("refuses a database of another program", func() {
		edit(path, func(tx *bbolt.Tx) error {
			_, err := tx.CreateBucket([]byte("someone else's"))
			return err
		})
		_, err := store.Open(dir)
		Expect(err).To(MatchError(store.ErrCorrupt))
		Expect(err).To(MatchError(ContainSubstring(path)))
	})

	DescribeTable("refuses records that it cannot read", func(bucket string, key, value []byte) {
		closed(opened(dir))
		edit(path, func(tx *bbolt.Tx) error { return tx.Bucket([]byte(bucket)).Put(key, value) })
		_, err := store.Open(dir)
		Expect(err).To(MatchError(store.ErrCorrupt))
		Expect(err).To(MatchError(ContainSubstring(path)))
	},
		Entry("a fact that is no JSON", "facts", []byte("\x00\x00\x00\x00\x00\x00\x00\x01"), []byte("{")),
		Entry("a fact of another type", "facts", []byte("\x00\x00\x00\x00\x00\x00\x00\x01"), []byte(`{"version":"one"}`)),
		Entry("a key that is no number", "facts", []byte("key"), []byte("{}")),
	)
})

func cutTo(n int) func([]byte) []byte {
	return func(b []byte) []byte { return b[:n] }
}

func over(from, to int) func([]byte) []byte {
	return func(b []byte) []byte {
		to := min(to, len(b))
		copy(b[from:to], noise(to-from))
		return b
	}
}

// noise is the same in every run.
func noise(n int) []byte {
	source := rand.NewChaCha8([32]byte{1})
	b := make([]byte, n)
	_, _ = source.Read(b)
	return b
}

// edit changes the file with bbolt alone, past the store.
func edit(path string, change func(*bbolt.Tx) error) {
	GinkgoHelper()
	db, err := bbolt.Open(path, 0o600, nil)
	Expect(err).NotTo(HaveOccurred())
	Expect(db.Update(change)).To(Succeed())
	Expect(db.Close()).To(Succeed())
}
