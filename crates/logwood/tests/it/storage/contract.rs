//! One contract, every storage.

use std::sync::Arc;

use logwood_testkit::storage::{
    CrashStorage, Fault, FaultyStorage, RecordingStorage, Subject, storage_contract,
};

#[test]
fn local_storage_keeps_the_contract() {
    assert!(storage_contract(&Subject::local).unwrap() > 40);
}

#[test]
fn memory_storage_keeps_the_contract() {
    assert!(storage_contract(&Subject::memory).unwrap() > 40);
}

#[test]
fn a_recording_storage_keeps_the_contract() {
    let make = || Ok(Subject::memory()?.wrapped(|inner| Arc::new(RecordingStorage::new(inner))));
    storage_contract(&make).unwrap();
}

#[test]
fn a_faulty_storage_without_faults_keeps_the_contract() {
    let make = || Ok(Subject::memory()?.wrapped(|inner| Arc::new(FaultyStorage::new(inner))));
    storage_contract(&make).unwrap();
}

/// Short writes are no failure: what writes whole files goes on after them.
#[test]
fn replacing_goes_on_after_short_writes() {
    for call in 0..60 {
        let subject = Subject::memory().unwrap();
        let path = subject.put("a", b"old").unwrap();
        let storage = FaultyStorage::new(subject.storage.clone()).with(call, Fault::Shortens);
        let settled = logwood::storage::replace(&storage, &path, |out| out.write_all(b"newer"));
        assert!(settled.is_ok());
        assert_eq!(subject.bytes(&path).unwrap(), b"newer");
    }
}

#[test]
fn a_storage_with_power_keeps_the_contract() {
    let subject = || {
        let memory = logwood::storage::MemoryStorage::new();
        Ok(Subject::of_memory(memory.clone())?
            .wrapped(|_| Arc::new(CrashStorage::new(memory).expect("nothing in it to fail"))))
    };
    storage_contract(&subject).unwrap();
}
