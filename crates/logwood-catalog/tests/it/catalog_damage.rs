//! A catalog that is not as it should be costs time and nothing else.

use std::fs;
use std::sync::Arc;

use logwood::storage::LocalStorage;
use logwood_catalog::catalog::Catalog;
use proptest::prelude::*;

use crate::stores::{Later, Shop, session};

fn shop() -> Shop {
    let mut shop = Shop::new();
    for n in 0..20 {
        shop.write(
            &format!("--p{}--/{n:02}.jsonl", n % 3),
            session(&format!("s{n}"), n).as_bytes(),
        );
    }
    let catalog = shop.catalog();
    shop.both(&catalog, 1);
    shop
}

/// Lists twice: what was damaged is mended by the first, and the second finds everything known.
fn mends(shop: &Shop) {
    let catalog = shop.catalog();
    shop.both(&catalog, 2);
    drop(catalog);
    let catalog = shop.catalog();
    shop.both(&catalog, 2);
    catalog.finish();
    assert_eq!(catalog.trouble(), None);
    catalog.check().unwrap();
    assert_eq!(catalog.status().unwrap().sessions, 20);
}

#[test]
fn a_file_that_is_no_catalog_is_made_anew() {
    let shop = shop();
    let path = shop.catalog_path();
    let whole = fs::read(&path).unwrap();
    let cut = whole[..whole.len() / 2].to_vec();
    for text in [Vec::new(), b"not a database at all".to_vec(), vec![0; 8192], cut] {
        fs::write(&path, &text).unwrap();
        mends(&shop);
    }
    fs::remove_file(&path).unwrap();
    mends(&shop);
}

#[test]
fn another_version_is_made_anew() {
    let shop = shop();
    for sql in [
        "PRAGMA user_version=7",
        "PRAGMA application_id=1",
        "DROP TABLE checkpoint",
        "DROP TABLE file",
    ] {
        rusqlite::Connection::open(shop.catalog_path()).unwrap().execute_batch(sql).unwrap();
        mends(&shop);
    }
}

#[test]
fn a_row_that_changed_on_the_disk_is_not_believed() {
    let shop = shop();
    let connection = rusqlite::Connection::open(shop.catalog_path()).unwrap();
    connection.execute("UPDATE file SET record = CAST(replace(CAST(record AS TEXT), 'text 0', 'text 9') AS BLOB)", []).unwrap();
    drop(connection);
    let catalog = shop.catalog();
    shop.both(&catalog, 1);
    assert!(catalog.trouble().unwrap().contains("damaged"));
    drop(catalog);
    mends(&shop);
}

/// A folder in which nothing can be written, and a folder in place of the file.
#[test]
fn a_catalog_that_cannot_be_made_is_an_error_with_a_way_out() {
    let shop = Shop::new();
    fs::create_dir_all(shop.catalog_path()).unwrap();
    let error = Catalog::open(&shop.catalog_path(), Arc::new(LocalStorage)).unwrap_err();
    assert!(error.to_string().contains("x.sqlite"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever bytes of the file are wrong, the listing is right.
    #[test]
    fn no_byte_that_is_wrong_makes_a_listing_wrong(
        places in proptest::collection::vec((any::<proptest::sample::Index>(), 1..=255_u8), 1..40)
    ) {
        let mut shop = shop();
        let path = shop.catalog_path();
        // Some are to be continued.
        shop.append("--p1--/01.jsonl", b"\n");
        shop.append("--p2--/17.jsonl", b"\n{}\n");
        let mut bytes = fs::read(&path).unwrap();
        for (place, bits) in places {
            let place = place.index(bytes.len());
            bytes[place] ^= bits;
        }
        fs::write(&path, &bytes).unwrap();
        if let Ok(catalog) = Catalog::open_with_clock(&path, Arc::new(LocalStorage), Arc::new(Later)) {
            shop.both(&catalog, 2);
        }
        if let Ok(catalog) = Catalog::open_with_clock(&path, Arc::new(LocalStorage), Arc::new(Later)) {
            shop.both(&catalog, 2);
        }
    }
}
